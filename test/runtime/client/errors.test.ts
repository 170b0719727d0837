import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ApiError, ClientError, isSidecardError, SidecardError } from 'sidecard/client'
import { isSidecardError as isSidecardErrorOfApp } from 'sidecard'
import {
  catchError,
  json,
  page,
  createScriptedClient,
  type ScriptStep,
  TOKEN,
} from '../../helpers/scripted-api.ts'

const html = (status: number) =>
  new Response('<!doctype html><h1>Oops</h1>', { status, headers: { 'content-type': 'text/html' } })

test.each([
  [
    'errors of objects',
    { errors: [{ message: 'Title is bad', code: 'bad_title' }] },
    [{ message: 'Title is bad', code: 'bad_title' }],
  ],
  ['errors of strings', { errors: ['a', 'b'] }, [{ message: 'a' }, { message: 'b' }]],
  ['error as text', { error: 'Nope' }, [{ message: 'Nope' }]],
  [
    'error as an object',
    { error: { message: 'Nope', code: 42 } },
    [{ message: 'Nope', code: '42' }],
  ],
  ['message and code', { message: 'Nope', code: 'no' }, [{ message: 'Nope', code: 'no' }]],
  [
    'several at once',
    { errors: ['a'], error: 'b', message: 'c' },
    [{ message: 'a' }, { message: 'b' }, { message: 'c' }],
  ],
  [
    'errors of nonsense',
    { errors: [null, 5, [], {}, { message: 7 }, { message: '', code: '' }, ''] },
    [],
  ],
  ['errors that are no list', { errors: { 0: 'a' } }, []],
  ['null', null, []],
  ['a number', 5, []],
  ['text', 'Nope', []],
  ['a list', ['Nope'], []],
  ['nothing of note', { detail: {} }, []],
])('reads %s from the body of a failed call', async (_name, body, errors) => {
  const error = await catchError(createScriptedClient([json(body, 422)]).client.users.list())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 422,
    code: 'api_error',
    errors,
    body: JSON.stringify(body),
  })
})

test('reads the request ID from the body or a header', async () => {
  const inBody = await catchError(
    createScriptedClient([json({ request_id: 'req_b' }, 400)]).client.users.list(),
  )
  expect(inBody.requestId).toBe('req_b')
  const inHeader = await catchError(
    createScriptedClient([
      json({ request_id: 5 }, 400, { 'x-request-id': 'req_h' }),
    ]).client.users.list(),
  )
  expect(inHeader.requestId).toBe('req_h')
})

test('keeps at most 64 KiB of the body of a failed call', async () => {
  const error = await catchError(
    createScriptedClient([
      new Response('x'.repeat(1_000_000), { status: 400 }),
    ]).client.users.list(),
  )
  expect(error.body).toHaveLength(64 * 1024)
})

const INVALID: [string, ScriptStep][] = [
  ['HTML', html(200)],
  ['nothing', new Response('', { status: 200 })],
  ['whitespace', new Response(' \n', { status: 200 })],
  ['truncated JSON', new Response('{"data":[{"id":"1"', { status: 200 })],
  ['null', json(null)],
  ['a list', json([])],
  ['text', json('ok')],
  ['an object without data', json({ users: [] })],
  ['204', new Response(null, { status: 204 })],
]

test.each(INVALID)('throws a typed error for a 2xx response of %s', async (_name, step) => {
  for (const call of [
    (client: any) => client.users.list(),
    (client: any) => client.tasks.create({ title: 'x' }),
    (client: any) => client.messages.redact({ issue_id: 'i', message_id: 'm' }),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- each call is its own case
    const error = await catchError(call(createScriptedClient([step]).client))
    expect(error).toBeInstanceOf(ClientError)
    expect(error.code).toBe('invalid_response')
  }
})

test('reads an envelope behind a byte order mark', async () => {
  const { client } = createScriptedClient([new Response('\uFEFF{"data":[]}', { status: 200 })])
  expect((await client.users.list()).data).toEqual([])
})

test.each([301, 302, 303, 304, 307, 308])('never follows a redirect (%d)', async (status) => {
  const { client, seen } = createScriptedClient([
    () => new Response(null, { status, headers: { location: 'https://evil.example/' } }),
  ])
  expect(await catchError(client.users.list())).toMatchObject({ code: 'redirect', status })
  expect(seen).toHaveLength(1)
})

test('stops reading a body at 10 MB', async () => {
  let canceled = false
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
      sent += 1
    },
    cancel() {
      canceled = true
    },
  })
  const { client } = createScriptedClient([() => new Response(endless)])
  expect(await catchError(client.users.list())).toMatchObject({
    code: 'response_too_large',
    status: 200,
  })
  expect(canceled).toBe(true)
  expect(sent).toBeLessThan(14)
})

test('isSidecardError() recognizes errors, even from another copy of the package', async () => {
  const error = await catchError(createScriptedClient([json({}, 400)]).client.users.list())
  expect(error).toBeInstanceOf(SidecardError)
  expect(isSidecardError(error)).toBe(true)
  expect(isSidecardErrorOfApp(error)).toBe(true)
  expect(isSidecardError(new Error('x'))).toBe(false)
})

test.each([
  [
    'a function that throws',
    () => {
      throw new Error(TOKEN)
    },
  ],
  ['a function that rejects', () => Promise.reject(new Error(TOKEN))],
  ['a function that returns nothing', () => undefined],
  ['a function that returns a line break', () => `${TOKEN}\nx: y`],
])(
  'sends no request with %s as access token, and does not repeat it',
  async (_name, accessToken) => {
    const { client, seen } = createScriptedClient([page([])], { accessToken: accessToken as any })
    const error = await catchError(client.users.list())
    expect(error.code).toBe('invalid_access_token')
    expect(seen).toHaveLength(0)
    expect(inspectEverything(error)).not.toContain(TOKEN)
  },
)

function inspectEverything(value: any): string {
  return [
    inspect(value, { depth: 9, showHidden: true }),
    String(value),
    value?.message,
    value?.stack,
    JSON.stringify(value),
    value?.body,
  ].join('\n')
}

const leak = (seen: { headers: Headers }) => {
  throw Object.assign(new Error(`failed: ${seen.headers.get('authorization')}`), {
    code: TOKEN.toUpperCase().replaceAll('-', '_'),
    cause: { code: 'ECONNRESET', headers: seen.headers.get('authorization') },
  })
}

test.each<[string, ScriptStep]>([
  [
    'echoes it in an error',
    json({ error: { message: `bad token ${TOKEN}` }, request_id: TOKEN }, 401, {
      'x-request-id': TOKEN,
    }),
  ],
  ['echoes it encoded', new Response(`bad ${encodeURIComponent(TOKEN)}`, { status: 400 })],
  ['fails with it in the message', leak],
  [
    'redirects with it',
    () =>
      new Response(null, { status: 302, headers: { location: `https://evil.example/?${TOKEN}` } }),
  ],
  ['returns HTML', html(200)],
])('hides the token if the API %s', async (_name, step) => {
  const { client } = createScriptedClient([step])
  for (const call of [
    () => client.users.list(),
    () => client.tasks.create({ title: 'x' }),
    () => client.request('PUT', '/x'),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- each call is its own case
    const outcome = await Promise.resolve(call()).catch((error: unknown) => error)
    expect(inspectEverything(outcome)).not.toContain(TOKEN)
  }
  expect(inspectEverything(client)).not.toContain(TOKEN)
})

test('messages contain no IDs', async () => {
  const { client } = createScriptedClient([json({}, 500)])
  const error = await catchError(
    client.messages.redact({ issue_id: 'canary_issue', message_id: 'canary_message' }),
  )
  const other = await catchError(client.request('GET', '/issues/canary_issue'))
  expect(error.message).toBe(
    'POST /issues/{id}/messages/{message_id}/redact: the API returned 500. The request may have been processed: check before retrying.',
  )
  expect(error.message + other.message).not.toContain('canary')
})
