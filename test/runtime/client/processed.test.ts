import { expect, test } from 'vitest'
import { ClientError, type ClientErrorCode } from 'sidecard/client'
import {
  catchError,
  createScriptedClient,
  json,
  page,
  type ScriptStep,
  TOKEN,
} from '../../helpers/scripted-api.ts'

type Options = NonNullable<Parameters<typeof createScriptedClient>[1]>

/** A failure with this code: whether the API may have processed a write, and how the API behaves. */
type Row = readonly [
  name: string,
  mayBeProcessed: boolean,
  steps: readonly ScriptStep[],
  options?: Options,
]

const failed = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: { code } })
const status = (value: number) => () => json({ message: 'no' }, value)
const redirect = (value: number) => () =>
  new Response(null, { status: value, headers: { location: '/' } })
const NEVER_SENT: readonly Row[] = []
const LISTS_ONLY: readonly Row[] = []

/** A response whose body ends with an error after its first bytes. */
const cut = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"da')),
      pull: (controller) => controller.error(failed('ECONNRESET')),
    }),
  )
/** A response whose body never ends. */
const stalled = () => new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }))
const tooLarge = () => new Response(new Uint8Array(10 * 1024 * 1024 + 1))

/** The signal of the call aborts as soon as the request was sent. */
const aborted = (name: string, respond: () => Response | Promise<Response>): Row => {
  const controller = new AbortController()
  const step = () => {
    queueMicrotask(() => controller.abort())
    return respond()
  }
  return [name, true, [step], { signal: controller.signal }]
}

/** The compiler requires rows for each code. */
const ROWS: Readonly<Record<ClientErrorCode, () => readonly Row[]>> = {
  invalid_parameter: () => NEVER_SENT,
  url_too_long: () => NEVER_SENT,
  invalid_pagination: () => LISTS_ONLY,
  pagination_loop: () => LISTS_ONLY,
  too_many_pages: () => LISTS_ONLY,
  invalid_access_token: () => [
    ['the token function throws', false, [], { accessToken: () => Promise.reject(TOKEN) }],
  ],
  network_error: () => [
    ['a connection that the host rejects', false, [failed('ECONNREFUSED')]],
    ['a name that does not resolve', false, [failed('ENOTFOUND')]],
    ['a reset connection', true, [failed('ECONNRESET')]],
    ['an unknown failure', true, [new TypeError('failed')]],
    ['a fetch that throws a client error', true, [new ClientError('aborted', 'GET /: aborted.')]],
    ['a body that is cut', true, [cut]],
  ],
  timeout: () => [
    ['no response', true, ['never'], { realClock: true, timeoutMs: 20 }],
    ['an endless body', true, [stalled], { realClock: true, timeoutMs: 20 }],
  ],
  aborted: () => [
    ['before the request', false, [], { signal: AbortSignal.abort() }],
    aborted('during the request', () => new Promise(() => undefined)),
    aborted('in the body', stalled),
  ],
  redirect: () => [301, 302, 303, 304, 307, 308].map((code) => [`${code}`, true, [redirect(code)]]),
  api_error: () => [
    ...[408, 500, 503].map((code): Row => [`${code}`, true, [status(code)]]),
    ...[400, 401, 404, 409, 422, 429].map((code): Row => [`${code}`, false, [status(code)]]),
  ],
  invalid_response: () => [
    ['204', true, [() => new Response(null, { status: 204 })]],
    ['an empty body', true, [() => new Response('')]],
    ['a page in HTML', true, [() => new Response('<p>')]],
    ['invalid UTF-8', true, [() => new Response(new Uint8Array([0x22, 0xe9, 0x22]))]],
    ['a list instead of an envelope', true, [json([])]],
    ['an envelope without data', true, [json({}, 201)]],
    ['data of the wrong type', true, [page('text')]],
  ],
  response_too_large: () => [['a body of more than 10 MB', true, [tooLarge]]],
}

const WARNING = '. The request may have been processed: check before retrying.'

test.each(
  Object.entries(ROWS).flatMap(([code, rows]) =>
    rows().map(([name], index) => ({ code: code as ClientErrorCode, name, index })),
  ),
)(
  'an error after a POST warns if it may have been processed, and one after a GET does not: $code, $name',
  async ({ code, index }) => {
    const send = async (method: 'GET' | 'POST') => {
      const [, mayBeProcessed, steps, options] = ROWS[code]()[index]!
      const { client } = createScriptedClient(steps, { retry: false, ...options })
      const call = method === 'GET' ? client.users.list() : client.tasks.create({ title: 'x' })
      const error = await catchError(call)
      return { mayBeProcessed, error }
    }
    const read = await send('GET')
    expect(read.error).toMatchObject({ code, message: expect.not.stringContaining('processed') })
    const write = await send('POST')
    expect(write.error.code).toBe(code)
    expect(write.error.message.endsWith(WARNING)).toBe(write.mayBeProcessed)
    expect(write.error.message.includes('processed')).toBe(write.mayBeProcessed)
  },
)

test('a POST that was limited and then got no token does not warn', async () => {
  let tokens = 0
  const accessToken = () => ((tokens += 1) === 1 ? TOKEN : new Promise<never>(() => undefined))
  const options = { accessToken, realClock: true, timeoutMs: 20, retry: { baseDelayMs: 0 } }
  const { client } = createScriptedClient([status(429)], options)
  const error = await catchError(client.tasks.create({ title: 'x' }))
  expect(error).toMatchObject({
    code: 'timeout',
    attempts: 1,
    message: 'POST /tasks: no complete response within 20 ms.',
  })
})
