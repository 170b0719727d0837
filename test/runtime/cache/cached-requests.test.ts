import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { createRecordingLogger, createTestApp, FETCH_DATA } from '../../helpers/app.ts'
import { uniqueName } from '../../helpers/cache.ts'
import { eventually } from '../../helpers/eventually.ts'

test('with errors: status, an app responds with older content of a section, and logs a warning', async () => {
  const cache = sectionCache({
    name: uniqueName(),
    store: memoryStore(),
    ttlSeconds: 0.001,
    staleSeconds: 600,
  })
  const logger = createRecordingLogger()
  let isDown = false
  const load = () => {
    if (isDown) throw new Error('down')
    return text({ label: 'Plan', value: 'Pro' })
  }
  const fail = () => Promise.reject(new Error('x'))
  const app = createTestApp({
    logger,
    errors: 'status',
    fetchData: ({ params }) => [
      section('Errors', load, { cache, key: ['a'] }),
      params.account_id === 'other' && section('Broken', fail),
    ],
  })
  await app.request(FETCH_DATA)
  isDown = true
  await eventually(async () => {
    const { status, headers } = await app.request(FETCH_DATA)
    expect([status, headers.get('x-sidecard-failure')]).toEqual([
      200,
      expect.stringMatching(/^section_failed.*;stale/),
    ])
  })
  expect(logger.lines.at(-1)?.level).toBe('warn')
  const mixed = FETCH_DATA.replace('account-1', 'other')
  expect((await app.request(mixed)).status).toBe(500)
  expect(logger.lines.at(-1)?.level).toBe('error')
})
