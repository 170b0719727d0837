import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ApiError, ClientError, isSidecardError, SidecardError } from 'sidecard/client'
import { isSidecardError as isSidecardErrorOfApp } from 'sidecard'
import { failureOf, json, page, scripted, type Step, TOKEN } from '../helpers/scripted-api.ts'

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
  ['errors of nonsense', { errors: [null, 5, [], {}, { message: 7 }, ''] }, []],
  ['errors that are no list', { errors: { 0: 'a' } }, []],
  ['null', null, []],
  ['a number', 5, []],
  ['text', 'Nope', []],
  ['a list', ['Nope'], []],
  ['nothing of note', { detail: {} }, []],
])('reads %s from the body of a failed call', async (_name, body, errors) => {
  const error = await failureOf(scripted([json(body, 422)]).client.users.list())
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 422,
    code: 'api_error',
    errors,
    body: JSON.stringify(body),
  })
})

test('finds the request id in the body or in a header', async () => {
  const inBody = await failureOf(scripted([json({ request_id: 'req_b' }, 400)]).client.users.list())
  expect(inBody.requestId).toBe('req_b')
  const inHeader = await failureOf(
    scripted([json({ request_id: 5 }, 400, { 'x-request-id': 'req_h' })]).client.users.list(),
  )
  expect(inHeader.requestId).toBe('req_h')
})

test('keeps at most 64 KiB of the body of a failed call', async () => {
  const error = await failureOf(
    scripted([new Response('x'.repeat(1_000_000), { status: 400 })]).client.users.list(),
  )
  expect(error.body).toHaveLength(64 * 1024)
})

const INVALID: [string, Step][] = [
  ['HTML', html(200)],
  ['nothing', new Response('', { status: 200 })],
  ['white space', new Response(' \n', { status: 200 })],
  ['JSON that breaks off', new Response('{"data":[{"id":"1"', { status: 200 })],
  ['null', json(null)],
  ['a list', json([])],
  ['text', json('ok')],
  ['an object without data', json({ users: [] })],
  ['204', new Response(null, { status: 204 })],
]

test.each(INVALID)('turns a 2xx answer of %s into a typed error', async (_name, step) => {
  for (const call of [
    (client: any) => client.users.list(),
    (client: any) => client.tasks.create({ title: 'x' }),
    (client: any) => client.messages.redact({ issue_id: 'i', message_id: 'm' }),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- each call is a case of its own
    const error = await failureOf(call(scripted([step]).client))
    expect(error).toBeInstanceOf(ClientError)
    expect(error.code).toBe('invalid_response')
  }
})

test('reads an envelope behind a byte order mark', async () => {
  const { client } = scripted([new Response('\uFEFF{"data":[]}', { status: 200 })])
  expect((await client.users.list()).data).toEqual([])
})

test.each([301, 302, 303, 304, 307, 308])('never follows a redirect (%d)', async (status) => {
  const { client, seen } = scripted([
    () => new Response(null, { status, headers: { location: 'https://evil.example/' } }),
  ])
  expect(await failureOf(client.users.list())).toMatchObject({ code: 'redirect', status })
  expect(seen).toHaveLength(1)
})

test('cuts a body off at 10 MB', async () => {
  let cancelled = false
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
      sent += 1
    },
    cancel() {
      cancelled = true
    },
  })
  const { client } = scripted([() => new Response(endless)])
  expect(await failureOf(client.users.list())).toMatchObject({
    code: 'response_too_large',
    status: 200,
  })
  expect(cancelled).toBe(true)
  expect(sent).toBeLessThan(14)
})

test('errors are known as one family, also by another copy of the package', async () => {
  const error = await failureOf(scripted([json({}, 400)]).client.users.list())
  expect(error).toBeInstanceOf(SidecardError)
  expect(isSidecardError(error)).toBe(true)
  expect(isSidecardErrorOfApp(error)).toBe(true)
  expect(isSidecardError(new Error('x'))).toBe(false)
})

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['one with a line break', `${TOKEN}\nx: y`],
  ['one with a space', `a ${TOKEN}`],
  ['one outside ASCII', `${TOKEN}é`],
  [
    'a function that throws',
    () => {
      throw new Error(TOKEN)
    },
  ],
  ['a function that rejects', () => Promise.reject(new Error(TOKEN))],
  ['a function that gives nothing', () => undefined],
])('sends nothing with %s as access token, and does not repeat it', async (_name, accessToken) => {
  const make = () =>
    scripted([page([])], { accessToken: (accessToken ?? (() => undefined)) as any })
  const { client, seen } = make()
  const error = await failureOf(client.users.list())
  expect(error.code).toBe('invalid_access_token')
  expect(seen).toHaveLength(0)
  expect(everythingOf(error)).not.toContain(TOKEN)
})

function everythingOf(value: any): string {
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

test.each<[string, Step]>([
  [
    'repeats it in an error',
    json({ error: { message: `bad token ${TOKEN}` }, request_id: TOKEN }, 401, {
      'x-request-id': TOKEN,
    }),
  ],
  ['repeats it encoded', new Response(`bad ${encodeURIComponent(TOKEN)}`, { status: 400 })],
  ['fails with it in the message', leak],
  [
    'redirects with it',
    () =>
      new Response(null, { status: 302, headers: { location: `https://evil.example/?${TOKEN}` } }),
  ],
  ['answers with something else', html(200)],
])('keeps the token out of everything when the other side %s', async (_name, step) => {
  const lines: unknown[] = []
  const log = (fields: unknown) => lines.push(fields)
  const { client } = scripted([step], { logger: { debug: log, info: log, warn: log, error: log } })
  for (const call of [
    () => client.users.list(),
    () => client.tasks.create({ title: 'x' }),
    () => client.request('PUT', '/x'),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- each call is a case of its own
    const outcome = await Promise.resolve(call()).catch((error: unknown) => error)
    expect(everythingOf(outcome)).not.toContain(TOKEN)
  }
  expect(everythingOf(client)).not.toContain(TOKEN)
  expect(JSON.stringify(lines)).not.toContain(TOKEN)
  expect(lines.length).toBeGreaterThan(0)
})

test('a failure is heard once, by whoever asked for the whole response', async () => {
  const { client } = scripted([json({}, 400)])
  expect(await failureOf(client.tasks.create({ title: 'x' }).withResponse())).toMatchObject({
    status: 400,
  })
})

test('no message and no log line holds an id', async () => {
  const lines: unknown[] = []
  const log = (fields: unknown) => lines.push(fields)
  const { client } = scripted([json({}, 500)], {
    logger: { debug: log, info: log, warn: log, error: log },
  })
  const error = await failureOf(
    client.messages.redact({ issue_id: 'canary_issue', message_id: 'canary_message' }),
  )
  await failureOf(client.request('GET', '/issues/canary_issue'))
  expect(error.message).toBe(
    'POST /issues/{id}/messages/{message_id}/redact: the API answered 500.',
  )
  expect(error.message + JSON.stringify(lines)).not.toContain('canary')
})
