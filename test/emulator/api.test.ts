import { describe, expect, test } from 'vitest'
import { createClient } from 'sidecard/client'
import { createEmulator, DEVIATION_HEADER, type EmulatorOptions } from 'sidecard/emulator'

function start(options: EmulatorOptions = {}) {
  const emulator = createEmulator(options)
  const client = createClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    fetch: emulator.fetch,
    retry: { maxRetries: 0 },
  })
  const ask = (path: string, init: { method?: string; body?: string } = {}) =>
    emulator.fetch(`${emulator.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    })
  return { emulator, client, ask }
}

describe('who may call', () => {
  test.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic c2lkZWNhcmQ6' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a wrong token', { authorization: 'Bearer sidecard_nope' }],
  ])('%s is answered 401 with a JSON error and a request_id', async (_name, headers) => {
    const { emulator } = start()
    const response = await emulator.fetch(`${emulator.url}/users`, {
      headers: headers as Record<string, string>,
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(await response.json()).toMatchObject({
      errors: [{ code: 'unauthorized', message: expect.any(String) }],
      request_id: expect.stringMatching(/^req_/),
    })
  })

  test('a refusal does not repeat the token that was sent', async () => {
    const { emulator } = start()
    const response = await emulator.fetch(`${emulator.url}/users`, {
      headers: { authorization: 'Bearer canary-token' },
    })
    expect(await response.text()).not.toContain('canary-token')
    expect(JSON.stringify(emulator.requests)).not.toContain('canary-token')
  })
})

describe('lists', () => {
  test('have the envelope of the contract', async () => {
    const { ask } = start()
    expect(await (await ask('/user-roles')).json()).toEqual({
      data: expect.arrayContaining([{ id: 'role_admin', name: 'Admin', slug: 'admin' }]),
      pagination: { cursor: '', has_next_page: false },
      request_id: expect.any(String),
    })
  })

  test('give every item once, over pages of 50', async () => {
    const { client } = start({ seed: 'large' })
    const pages = []
    for await (const page of client.users.list().pages()) pages.push(page.data.length)
    expect(pages[0]).toBe(50)
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(1_234)
    const ids = (await client.users.list().toArray({ max: 5_000 })).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1_234)
  })

  test('refuse a cursor that they did not give', async () => {
    const { ask } = start({ seed: 'large' })
    const users = (await (await ask('/users')).json()) as { pagination: { cursor: string } }
    for (const cursor of ['nonsense', '%00', btoa('["user",-1]'), btoa('{}')]) {
      const response = await ask(`/users?cursor=${encodeURIComponent(cursor)}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ code: 'invalid_cursor' }] })
    }
    const elsewhere = await ask(`/tags?cursor=${encodeURIComponent(users.pagination.cursor)}`)
    expect(elsewhere.status).toBe(400)
  })

  test('take a limit, up to 100', async () => {
    const { ask } = start({ seed: 'large' })
    const count = async (limit: string) =>
      ((await (await ask(`/users?limit=${limit}`)).json()) as { data?: unknown[] }).data?.length
    expect(await count('3')).toBe(3)
    expect(await count('100000')).toBe(100)
    expect((await ask('/users?limit=0')).status).toBe(400)
    expect((await ask('/users?limit=many')).status).toBe(400)
  })
})

describe('a task', () => {
  test('is created from query parameters and answered as the contract shows it', async () => {
    const { client } = start({ now: () => Date.UTC(2026, 10, 21) })
    const task = await client.tasks.create({
      title: 'Zurückrufen 📞',
      body_html: '<p>soon</p>',
      status: 'in_progress',
      customer_portal_visible: true,
      due_date: new Date('2027-01-01T00:00:00Z'),
      assignee_id: 'usr_ada',
      account_id: 'acc_koi',
      project_id: 'p',
      milestone_id: 'm',
    })
    expect(task).toEqual({
      id: expect.stringMatching(/^task_/),
      title: 'Zurückrufen 📞',
      body_html: '<p>soon</p>',
      created_at: '2026-11-21T00:00:00.000Z',
      updated_at: '2026-11-21T00:00:00.000Z',
      due_date: '2027-01-01T00:00:00.000Z',
      customer_portal_visible: true,
      account: { id: 'acc_koi' },
      milestone: { id: 'm' },
      project: { id: 'p' },
      assignee: { user: { id: 'usr_ada', email: 'ada@tidepool.example' } },
    })
  })
})

describe('redaction', () => {
  test('empties the message and its files, and stays', async () => {
    const { client, emulator } = start()
    const redacted = await client.messages.redact({
      issue_id: 'iss_1042',
      message_id: 'msg_1042_1',
    })
    expect(redacted).toMatchObject({ id: 'msg_1042_1', message_html: '', file_urls: [] })
    const [first, second] = emulator.issues.get('iss_1042').messages
    expect(first).toMatchObject({ redacted: true, message_html: '', file_urls: [] })
    expect(second?.redacted).toBe(false)
  })

  test.each([
    ['an unknown issue', '/issues/nope/messages/msg_1042_1/redact'],
    ['an unknown message', '/issues/iss_1042/messages/nope/redact'],
    ['a message of another issue', '/issues/iss_1041/messages/msg_1042_1/redact'],
    ['an id with a slash in it', '/issues/iss_1042%2F..%2Fiss_1042/messages/msg_1042_1/redact'],
    ['a broken percent-escape', '/issues/%E0%A4%A/messages/x/redact'],
  ])('of %s is 404', async (_name, path) => {
    const { ask } = start()
    const response = await ask(path, { method: 'POST' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ errors: [{ code: 'not_found' }] })
  })
})

describe('outside the contract', () => {
  const cases = [
    ['an unknown parameter', 'POST', '/tasks?title=x&titel=y', 'unknown_parameter=titel'],
    ['a parameter of a list', 'GET', '/users?sort=name', 'unknown_parameter=sort'],
    ['a missing title', 'POST', '/tasks', 'missing_parameter=title'],
    ['an empty title', 'POST', '/tasks?title=', 'missing_parameter=title'],
    ['a bad enum', 'POST', '/tasks?title=x&status=done', 'invalid_parameter=status'],
    [
      'a bad boolean',
      'POST',
      '/tasks?title=x&customer_portal_visible=yes',
      'invalid_parameter=customer_portal_visible',
    ],
    [
      'a date without an offset',
      'POST',
      '/tasks?title=x&due_date=2027-01-01T00:00:00',
      'invalid_parameter=due_date',
    ],
    ['a parameter twice', 'POST', '/tasks?title=x&title=y', 'duplicate_parameter=title'],
    [
      'an odd name',
      'POST',
      '/tasks?title=x&%0D%0Aset-cookie=1',
      'unknown_parameter=%0D%0Aset-cookie',
    ],
  ] as const

  test.each(cases)('%s is named in a header', async (_name, method, path, named) => {
    const response = await start().ask(path, { method })
    expect(response.status).toBe(200)
    expect(response.headers.get(DEVIATION_HEADER)).toBe(named)
  })

  test.each(cases)('%s is refused when strict', async (_name, method, path, named) => {
    const response = await start({ strict: true }).ask(path, { method })
    expect(response.status).toBe(400)
    const [code, field] = named.split('=') as [string, string]
    expect(await response.json()).toMatchObject({
      errors: [{ code, field: decodeURIComponent(field), message: expect.stringMatching(/\S/) }],
    })
  })

  test('a body on POST /tasks is noticed', async () => {
    const init = { method: 'POST', body: '{"title":"x"}' }
    const lenient = await start().ask('/tasks?title=x', init)
    expect(lenient.headers.get(DEVIATION_HEADER)).toBe('unexpected_body')
    expect((await start({ strict: true }).ask('/tasks?title=x', init)).status).toBe(400)
  })

  test('a slip of the pen is answered with what was meant', async () => {
    const response = await start({ strict: true }).ask('/tasks?title=x&asignee_id=y', {
      method: 'POST',
    })
    expect(await response.text()).toContain('did you mean assignee_id?')
  })

  test('another method is 405 with Allow, another path 404', async () => {
    const { ask } = start()
    const wrongMethod = await ask('/users', { method: 'DELETE' })
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET'])
    const wrongPath = await ask('/accounts')
    expect(wrongPath.status).toBe(404)
    expect(await wrongPath.json()).toMatchObject({ request_id: expect.any(String) })
  })
})

test('the log names each request by its operation, without the token', async () => {
  const { client, emulator } = start()
  await client.tags.list()
  await client.tasks.create({ title: 'x' })
  expect(
    emulator.requests.map(({ method, operation, status }) => [method, operation, status]),
  ).toEqual([
    ['GET', 'listTags', 200],
    ['POST', 'createTask', 200],
  ])
  expect(JSON.stringify(emulator.requests)).not.toContain(emulator.accessToken)
})

test('a token of one emulator opens no other', async () => {
  const { emulator } = start()
  const other = start()
  expect(other.emulator.accessToken).not.toBe(emulator.accessToken)
  const response = await emulator.fetch(`${emulator.url}/users`, {
    headers: { authorization: `Bearer ${other.emulator.accessToken}` },
  })
  expect(response.status).toBe(401)
})
