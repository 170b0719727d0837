import { expect, test } from 'vitest'
import { startApi as start } from './start-api.ts'

test('the log contains each request with its operation, without the token', async () => {
  const { client, emulator } = start()
  await client.tags.list()
  await client.tasks.create({ title: 'x' })
  expect(
    emulator.requests.list().map(({ method, operation, status }) => [method, operation, status]),
  ).toEqual([
    ['GET', 'listTags', 200],
    ['POST', 'createTask', 200],
  ])
  expect(JSON.stringify(emulator.requests.list())).not.toContain(emulator.accessToken)
})

test('the log contains every detail of a request except the token', async () => {
  const { ask, emulator } = start({ now: () => Date.UTC(2026, 10, 21) })
  const { request_id } = (await (await ask('/teams?sort=name&cursor=')).json()) as {
    request_id: string
  }
  await ask('/nope')
  await ask('/teams', { method: 'DELETE' })
  emulator.faults.set([{ side: 'api', effect: { type: 'reset' } }])
  await expect(ask('/teams')).rejects.toThrow('fetch failed')
  const common = { at: '2026-11-21T00:00:00.000Z', method: 'GET', query: '', deviations: [] }
  const id = expect.stringMatching(/^req_/)
  expect(emulator.requests.list()).toEqual([
    {
      ...common,
      id: request_id,
      path: '/teams',
      query: '?sort=name&cursor=',
      operation: 'listTeams',
      status: 200,
      deviations: ['unknown_parameter=sort'],
    },
    { ...common, id, path: '/nope', operation: null, status: 404 },
    { ...common, id, path: '/teams', method: 'DELETE', operation: null, status: 405 },
    { ...common, id, path: '/teams', operation: 'listTeams', status: null },
  ])
})

test('the log keeps the newest 1,000 requests', async () => {
  const { ask, emulator } = start()
  const lengths = new Set<number>()
  for (let count = 0; count < 2_002; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the order of the requests is the point
    await ask(`/nope?${count}`)
    if (count >= 999) lengths.add(emulator.requests.list().length)
  }
  expect([...lengths]).toEqual([1_000])
  const queries = emulator.requests.list().map(({ query }) => query)
  expect([queries.length, queries[0], queries.at(-1)]).toEqual([1_000, '?1002', '?2001'])
  emulator.requests.clear()
  expect(emulator.requests.list()).toEqual([])
})
