import { describe, expect, test } from 'vitest'
import { DEVIATION_HEADER } from '../../../src/tools/emulator/api/api.ts'
import { addLargeData } from '../../helpers/large-data.ts'
import { startApi as start } from './start-api.ts'

const MISSING = 'Every operation requires the header Authorization: Bearer <ACCESS_TOKEN>.'
const WRONG = 'The access token does not match this emulator.'

describe('authentication', () => {
  test.each([
    ['no header', {}, MISSING],
    ['another scheme', { authorization: 'Basic c2lkZWNhcmQ6' }, MISSING],
    ['an empty token', { authorization: 'Bearer ' }, MISSING],
    ['two tokens', { authorization: 'Bearer a b' }, MISSING],
    ['a wrong token', { authorization: 'Bearer sidecard_nope' }, WRONG],
  ])('%s returns 401 with a JSON error and a request_id', async (_name, headers, message) => {
    const { emulator } = start()
    const response = await emulator.fetch(`${emulator.url}/users`, {
      headers: headers as Record<string, string>,
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({
      errors: [{ code: 'unauthorized', message }],
      request_id: expect.stringMatching(/^req_[0-9a-z]{12}$/),
    })
  })

  test('the scheme may be in another case, and followed by several spaces', async () => {
    const { emulator } = start()
    for (const scheme of ['bearer ', 'BEARER  ']) {
      const headers = { authorization: `${scheme}${emulator.accessToken}` }
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      expect((await emulator.fetch(`${emulator.url}/teams`, { headers })).status).toBe(200)
    }
  })

  test('a rejection does not repeat the token', async () => {
    const { emulator } = start()
    const response = await emulator.fetch(`${emulator.url}/users`, {
      headers: { authorization: 'Bearer canary-token' },
    })
    expect(await response.text()).not.toContain('canary-token')
    expect(JSON.stringify(emulator.requests.list())).not.toContain('canary-token')
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

  test('return every item once, in pages of 50', async () => {
    const { client, emulator } = start()
    addLargeData(emulator)
    const pages = []
    for await (const page of client.users.list().pages()) pages.push(page.data.length)
    expect(pages[0]).toBe(50)
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(1_234)
    const ids = (await client.users.list().toArray({ max: 5_000 })).map(({ id }) => id)
    expect(new Set(ids).size).toBe(1_234)
  })

  test('reject a cursor of another list', async () => {
    const { ask, emulator } = start()
    addLargeData(emulator)
    const users = (await (await ask('/users')).json()) as { pagination: { cursor: string } }
    for (const cursor of [
      'nonsense',
      '%00',
      btoa('["user",-1]'),
      btoa('["user",1.5]'),
      btoa('["user",0,1]'),
      btoa('{}'),
    ]) {
      const response = await ask(`/users?cursor=${encodeURIComponent(cursor)}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        errors: [
          {
            code: 'invalid_cursor',
            message: 'Invalid cursor. Use the pagination.cursor of the previous page of this list.',
            field: 'cursor',
          },
        ],
      })
    }
    const elsewhere = await ask(`/tags?cursor=${encodeURIComponent(users.pagination.cursor)}`)
    expect(elsewhere.status).toBe(400)
  })

  test('accept a limit up to 100', async () => {
    const { ask, emulator } = start()
    addLargeData(emulator)
    const count = async (limit: string) =>
      ((await (await ask(`/users?limit=${limit}`)).json()) as { data?: unknown[] }).data?.length
    expect(await count('')).toBe(50)
    expect(await count('3')).toBe(3)
    expect(await count('100')).toBe(100)
    expect(await count('999999')).toBe(100)
    for (const limit of ['0', '-1', '01', '1.5', 'many', '10x', '1000000']) {
      const response = await ask(`/users?limit=${limit}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        errors: [
          {
            code: 'invalid_parameter',
            message: 'limit must be a positive integer.',
            field: 'limit',
          },
        ],
      })
    }
  })
})

describe('a task', () => {
  test('is created from query parameters and returned as the contract documents it', async () => {
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

test.each([
  ['title=x', {}],
  ['title=x&customer_portal_visible=false', {}],
  ['title=x&customer_portal_visible=true', { customer_portal_visible: true }],
  ['title=x&body_html=', { body_html: '' }],
  ['title=x&account_id=&assignee_id=', {}],
  ['title=x&assignee_id=usr_new', { assignee: { user: { id: 'usr_new' } } }],
])('a task without other fields has defaults: %s', async (query, fields) => {
  const { ask, emulator } = start({ now: () => Date.UTC(2026, 10, 21) })
  const response = await ask(`/tasks?${query}`, { method: 'POST' })
  expect(response.headers.get(DEVIATION_HEADER)).toBeNull()
  const at = '2026-11-21T00:00:00.000Z'
  const { data } = (await response.json()) as { data: { id: string } }
  const task = {
    id: expect.stringMatching(/^task_[0-9a-z]{12}$/),
    title: 'x',
    created_at: at,
    updated_at: at,
    customer_portal_visible: false,
    ...fields,
  }
  expect(data).toEqual(task)
  expect(emulator.snapshot().documents.at(-1)).toEqual({
    kind: 'task',
    parent: '',
    id: data.id,
    body: { ...task, status: 'not_started' },
  })
})

describe('redaction', () => {
  test('empties the message and its files but keeps the message', async () => {
    const { client, emulator, ask } = start()
    const redacted = await client.messages.redact({
      issue_id: 'iss_1042',
      message_id: 'msg_1042_1',
    })
    expect(redacted).toMatchObject({ id: 'msg_1042_1', message_html: '', file_urls: [] })
    const again = await ask('/issues/iss_1042/messages/msg_1042_1/redact', { method: 'POST' })
    expect([again.status, again.headers.get(DEVIATION_HEADER)]).toEqual([200, null])
    const [first, second] = emulator.issues.get('iss_1042').messages
    expect(first).toMatchObject({ redacted: true, message_html: '', file_urls: [] })
    expect(second?.redacted).toBe(false)
  })

  test.each([
    ['an unknown issue', '/issues/nope/messages/msg_1042_1/redact', 'issue'],
    ['an unknown message', '/issues/iss_1042/messages/nope/redact', 'message'],
    ['a message of another issue', '/issues/iss_1041/messages/msg_1042_1/redact', 'message'],
    ['an ID with a slash', '/issues/iss_1042%2F..%2Fiss_1042/messages/msg_1042_1/redact', 'issue'],
    ['a broken percent-escape', '/issues/%E0%A4%A/messages/x/redact', 'issue'],
  ])('of %s is 404', async (_name, path, missing) => {
    const { ask } = start()
    const response = await ask(path, { method: 'POST' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      errors: [
        missing === 'issue'
          ? { code: 'not_found', message: 'No issue has this ID.', field: 'id' }
          : {
              code: 'not_found',
              message: 'No message of this issue has this ID.',
              field: 'message_id',
            },
      ],
    })
  })
})

describe('undocumented requests', () => {
  const cases = [
    [
      'an unknown parameter',
      'POST',
      '/tasks?title=x&titel=y',
      'unknown_parameter=titel',
      'Undocumented parameter: did you mean title?',
    ],
    [
      'a parameter of a list',
      'GET',
      '/users?sort=name',
      'unknown_parameter=sort',
      'Undocumented parameter: remove it.',
    ],
    [
      'a parameter that only lists accept',
      'POST',
      '/tasks?title=x&limit=3',
      'unknown_parameter=limit',
      'Undocumented parameter: remove it.',
    ],
    [
      'a bad enum',
      'POST',
      '/tasks?title=x&status=done',
      'invalid_parameter=status',
      'status must be one of not_started, in_progress, completed.',
    ],
    [
      'a bad boolean',
      'POST',
      '/tasks?title=x&customer_portal_visible=yes',
      'invalid_parameter=customer_portal_visible',
      'customer_portal_visible must be true or false.',
    ],
    [
      'a date without an offset',
      'POST',
      '/tasks?title=x&due_date=2027-01-01T00:00:00',
      'invalid_parameter=due_date',
      'due_date must be an RFC 3339 date-time, such as 2027-03-01T09:00:00Z.',
    ],
    [
      'a parameter twice',
      'POST',
      '/tasks?title=x&title=y',
      'duplicate_parameter=title',
      'Duplicate parameter title: send it once.',
    ],
    [
      'an unusual name',
      'POST',
      '/tasks?title=x&%0D%0Aset-cookie=1',
      'unknown_parameter=%0D%0Aset-cookie',
      'Undocumented parameter: remove it.',
    ],
  ] as const

  test.each(cases)('%s is reported in a header', async (_name, method, path, named) => {
    const response = await start().ask(path, { method })
    expect(response.status).toBe(200)
    expect(response.headers.get(DEVIATION_HEADER)).toBe(named)
  })

  test.each(cases)('%s is rejected in strict mode', async (_name, method, path, named, message) => {
    const response = await start({ strict: true }).ask(path, { method })
    expect(response.status).toBe(400)
    const [code, field] = named.split('=') as [string, string]
    expect(await response.json()).toMatchObject({
      errors: [{ code, field: decodeURIComponent(field), message }],
    })
  })

  test.each(['/tasks', '/tasks?title=', '/tasks?title=%20'])(
    'a task without a title is rejected, strict or not: %s',
    async (path) => {
      for (const strict of [false, true]) {
        const { ask } = start({ strict })
        // oxlint-disable-next-line no-await-in-loop -- one emulator after another
        const response = await ask(path, { method: 'POST' })
        expect(response.status).toBe(400)
        // oxlint-disable-next-line no-await-in-loop -- one emulator after another
        expect(await response.json()).toMatchObject({
          errors: [{ code: 'missing_parameter', field: 'title' }],
        })
      }
    },
  )

  test('the deviation header has a limited size', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `${'é'.repeat(12)}${index}=1`)
    const response = await start().ask(`/users?${names.join('&')}`)
    expect(response.status).toBe(200)
    const header = response.headers.get(DEVIATION_HEADER) ?? ''
    expect(header).toMatch(/, more=580$/)
    expect(header.length).toBeLessThan(8_192)
  })

  test('a body on POST /tasks is reported', async () => {
    const init = { method: 'POST', body: '{"title":"x"}' }
    const lenient = await start().ask('/tasks?title=x', init)
    expect(lenient.headers.get(DEVIATION_HEADER)).toBe('unexpected_body')
    const strict = await start({ strict: true }).ask('/tasks?title=x', init)
    expect(strict.status).toBe(400)
    expect(((await strict.json()) as { errors: unknown }).errors).toEqual([
      {
        code: 'unexpected_body',
        message: 'POST /tasks accepts no body. Send the fields as query parameters.',
      },
    ])
    const empty = { method: 'POST', body: '' }
    expect((await start({ strict: true }).ask('/tasks?title=x', empty)).status).toBe(200)
  })

  test('a misspelled parameter results in a suggestion', async () => {
    const response = await start({ strict: true }).ask('/tasks?title=x&asignee_id=y', {
      method: 'POST',
    })
    expect(await response.text()).toContain('did you mean assignee_id?')
  })

  test('another method returns 405 with Allow, another path 404', async () => {
    const { ask } = start()
    const wrongMethod = await ask('/users', { method: 'DELETE' })
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET'])
    expect(await wrongMethod.json()).toMatchObject({
      errors: [{ code: 'method_not_allowed', message: '/users only accepts GET.' }],
    })
    const wrongPath = await ask('/accounts')
    expect(wrongPath.status).toBe(404)
    expect(await wrongPath.json()).toEqual({
      errors: [{ code: 'not_found', message: 'Unknown path. See /openapi.json.' }],
      request_id: expect.any(String),
    })
  })
})

test('the token of another emulator is rejected', async () => {
  const { emulator } = start()
  const other = start()
  expect(other.emulator.accessToken).not.toBe(emulator.accessToken)
  const response = await emulator.fetch(`${emulator.url}/users`, {
    headers: { authorization: `Bearer ${other.emulator.accessToken}` },
  })
  expect(response.status).toBe(401)
})
