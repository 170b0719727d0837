import { expect, onTestFinished, test, vi } from 'vitest'
import { badge, card, noAuth, sidecard, text } from 'sidecard'
import { createActionApp, createExtendTrial } from '../../helpers/actions.ts'
import {
  FETCH_DATA,
  createTestApp,
  readPayload,
  createRecordingLogger,
  VERIFY,
} from '../../helpers/app.ts'

const valid = { header: { title: 'Test' }, auth: noAuth(), fetchData: () => [] }

const HEADER = 'header must be an object with a title (header.title).'
const MIDDLEWARE = 'middleware must be an array of Hono middleware.'
const TIMEOUT = 'timeoutMs must be an integer from 1 to 2147483647 (milliseconds).'
const LOGGER = 'logger must be false, or an object with debug, info, warn and error.'
const INSTRUMENT = 'instrument must be an object with span or onResponse, or an array of them.'
const SCHEMES =
  "uriSchemes must be an array of URI schemes, such as 'https', without a colon and without script schemes."
const RELATIVE_ICON =
  'header.icon_url: must be a URI, got one without a scheme. Start with https://.'

test.each<[string, object, string]>([
  ['no auth', { auth: undefined }, 'auth must be secretHeader(…) or noAuth().'],
  ['an auth without a method', { auth: {} }, 'auth must be secretHeader(…)'],
  ['null as auth', { auth: null }, 'auth must be secretHeader(…)'],
  ['no fetchData', { fetchData: undefined }, 'fetchData must be a function.'],
  ['no header', { header: undefined }, HEADER],
  ['a list as header', { header: [] }, HEADER],
  ['no title', { header: {} }, HEADER],
  ['a title that is a number', { header: { title: 7 } }, HEADER],
  ['an empty title', { header: { title: '' } }, HEADER],
  ['a relative icon', { header: { title: 'x', icon_url: '/icon.png' } }, RELATIVE_ICON],
  [
    'a script as icon',
    { header: { title: 'x', icon_url: 'javascript:alert(1)' } },
    'header.icon_url:',
  ],
  [
    'a typo in the header',
    { header: { title: 'x', iconUrl: 'https://x.example/i.png' } },
    'header.iconUrl:',
  ],
  ['a middleware that is not a list', { middleware: () => {} }, MIDDLEWARE],
  ['a middleware that is not a function', { middleware: [() => {}, {}] }, MIDDLEWARE],
  ['a timeout of 0', { timeoutMs: 0 }, TIMEOUT],
  ['a timeout that no timer holds', { timeoutMs: 2 ** 31 }, TIMEOUT],
  ['a timeout that is not a number', { timeoutMs: NaN }, TIMEOUT],
  ['a timeout in a string', { timeoutMs: '5000' }, TIMEOUT],
  ['a timeout with a fraction', { timeoutMs: 0.5 }, TIMEOUT],
  [
    'a list with one instrument',
    { instrument: [{ onResponse() {} }, { onresponse() {} }] },
    INSTRUMENT,
  ],
  ['an unknown form of handshake', { handshake: 'xml' }, "handshake must be 'json' or 'text'."],
  ['an unknown form of failures', { errors: 'throw' }, "errors must be 'payload' or 'status'."],
  ['an unknown form of errors', { logErrors: true }, "logErrors must be 'full' or 'name'."],
  ['an onError that is not a function', { onError: {} }, 'onError must be a function.'],
  ['half a logger', { logger: { info() {} } }, LOGGER],
  ['true as logger', { logger: true }, LOGGER],
  ['limits that are a number', { limits: 7 }, 'limits must be an object.'],
  ['messages that are a string', { messages: 'x' }, 'messages must be an object.'],
  [
    'an unknown text',
    { messages: { fail: 'x' } },
    'there is no option "messages.fail". Did you mean failed?',
  ],
  ['a text that is not a string', { messages: { failed: 1 } }, 'messages.failed must be a string.'],
  [
    'a text that must be a function',
    { messages: { missingId: 'x' } },
    'messages.missingId must be a function.',
  ],
  ['IDs that are a string', { messages: { ids: 'x' } }, 'messages.ids must be an object.'],
  [
    'an unknown ID',
    { messages: { ids: { email: 'x' } } },
    'there is no option "messages.ids.email".',
  ],
  [
    'a limit of 0',
    { limits: { maxComponents: 0 } },
    'limits.maxComponents must be a positive integer.',
  ],
  [
    'a limit with a fraction',
    { limits: { maxBodyBytes: 1.5 } },
    'limits.maxBodyBytes must be a positive integer.',
  ],
  [
    'an unknown limit',
    { limits: { maxBytes: 1 } },
    'there is no option "limits.maxBytes". The options are maxComponents, maxBodyBytes.',
  ],
  ['actions that are none', { actions: {} }, 'actions must be actions(…) of sidecard/actions.'],
  [
    'actions in an app without a name',
    { actions: { mount() {} } },
    'name must be set in an app with actions, because their links contain it.',
  ],
  ['an instrument that is a function', { instrument: () => {} }, INSTRUMENT],
  ['null as instrument', { instrument: [null] }, INSTRUMENT],
  ['an instrument with misspelled methods', { instrument: { onRespnse() {} } }, INSTRUMENT],
  ['one URI scheme', { uriSchemes: 'https' }, SCHEMES],
  ['an instrument without a method', { instrument: { onresponse() {} } }, INSTRUMENT],
  ['a URI scheme with a colon', { uriSchemes: ['https:'] }, SCHEMES],
  ['a URI scheme that starts with a digit', { uriSchemes: ['1https'] }, SCHEMES],
  ['a URI scheme that is not a string', { uriSchemes: ['https', 7] }, SCHEMES],
  ['a URI scheme that is true', { uriSchemes: ['https', true] }, SCHEMES],
  ['no URI scheme', { uriSchemes: [] }, SCHEMES],
  ['a scheme that no option allows', { uriSchemes: ['https', 'JavaScript'] }, SCHEMES],
  [
    'a misspelled option',
    { timeout: 5000 },
    'there is no option "timeout". Did you mean timeoutMs?',
  ],
  [
    'an unknown option',
    { constructor: 1 },
    'there is no option "constructor". The options are header, name, auth, fetchData, middleware, handshake, timeoutMs, onError, logger, logErrors, errors, limits, messages, instrument, actions, uriSchemes.',
  ],
])('rejects %s when the app is created, with the fix', (_name, options, message) => {
  const create = () => sidecard({ ...valid, ...options } as any)
  expect(create).toThrow(`sidecard: ${message}`)
  expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }))
})

test.each([undefined, null, 'options', []])('rejects %j instead of options', (options) => {
  expect(() => sidecard(options as any)).toThrow(
    'sidecard: the options argument must be an object.',
  )
})

test('rejects a first argument that is not a schema', () => {
  expect(() => sidecard({} as any, valid as any)).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringContaining('the first of two arguments must be a Standard Schema'),
    }),
  )
})

test('accepts options that are undefined, and the largest timeout', () => {
  const names = ['timeoutMs', 'handshake', 'logger', 'limits', 'messages', 'instrument']
  const absent = Object.fromEntries(names.map((name) => [name, undefined]))
  expect(() => sidecard({ ...valid, ...absent })).not.toThrow()
  expect(() => sidecard({ ...valid, timeoutMs: 2 ** 31 - 1, limits: {} })).not.toThrow()
  const defaults = { handshake: 'json', errors: 'payload', logErrors: 'full' } as const
  expect(() => sidecard({ ...valid, ...defaults })).not.toThrow()
})

test('an app has no instrument by default, so its actions cannot require an audit', () => {
  expect(() => createActionApp(createExtendTrial(), { requireAudit: true })).toThrow(
    'actions: requireAudit must be false, unless the option instrument of sidecard() has an audit().',
  )
})

test('logs failures and rejected requests to the console, as one line of JSON', async () => {
  const lines: unknown[] = []
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((line: string) => {
      lines.push([level, JSON.parse(line)])
    })
    onTestFinished(() => spy.mockRestore())
  }
  const app = sidecard({
    ...valid,
    fetchData: (ctx) => {
      for (const level of ['debug', 'info', 'warn'] as const) ctx.log[level](level, { n: 1 })
      return Promise.reject(new Error('x'))
    },
  })
  await app.request(VERIFY)
  await app.request(VERIFY, { headers: { 'x-sidecard-dev': '1' } }, { SIDECARD_DEV: '1' })
  await app.request('/')
  await app.request(FETCH_DATA)
  expect(lines).toMatchObject([
    ['warn', { level: 'warn', msg: 'sidecard request', outcome: 'missing_request_type' }],
    ['debug', { level: 'debug', msg: 'debug', n: 1 }],
    ['info', { level: 'info', msg: 'info' }],
    ['warn', { level: 'warn', msg: 'warn' }],
    ['error', { level: 'error', msg: 'sidecard request', outcome: 'callback_failed' }],
  ])
})

test('limits count the components in cards, and the bytes of the JSON', async () => {
  const components = [
    card({ components: [text({ label: 'é', value: 'é' }), badge({ label: 'x', items: [] })] }),
  ]
  const kind = async (limits: object) =>
    (await createTestApp({ limits, fetchData: () => components }).request(FETCH_DATA)).headers.get(
      'x-sidecard-failure',
    )
  expect(await kind({ maxComponents: 3 })).toBeNull()
  expect(await kind({ maxComponents: 2 })).toBe('payload_too_large')
  const bytes = new TextEncoder().encode(
    JSON.stringify(
      await readPayload(await createTestApp({ fetchData: () => components }).request(FETCH_DATA)),
    ),
  ).length
  expect(await kind({ maxBodyBytes: bytes })).toBeNull()
  expect(await kind({ maxBodyBytes: bytes - 1 })).toBe('payload_too_large')
})

test('accepts http, https, mailto and tel links, or the schemes of the option', async () => {
  const failure = async (url: string, uriSchemes?: readonly string[]) => {
    const fetchData = () => [{ type: 'link', label: 'Call', url } as const]
    const app = createTestApp({ fetchData, ...(uriSchemes && { uriSchemes }) })
    return (await app.request(FETCH_DATA)).headers.get('x-sidecard-failure')
  }
  expect(await failure('tel:+1-816-555-1212')).toBeNull()
  expect(await failure('mailto:a@example.com')).toBeNull()
  expect(await failure('slack://open')).toBe('invalid_payload')
  expect(await failure('slack://open', ['Slack'])).toBeNull()
  expect(await failure('http://example.com', ['https'])).toBe('invalid_payload')
  expect(await failure('https://example.com', ['https'])).toBeNull()
  expect(await failure('javascript:alert(1)')).toBe('invalid_payload')
})

test('logs one line a request, without a value of the request', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger })
  await app.request(VERIFY)
  await app.request(FETCH_DATA)
  await app.request(`/?request_type=verify`)
  await app.request(`${FETCH_DATA}&issue_id=issue-2`)
  await app.request('/?request_type=jane')
  expect(logger.lines).toMatchObject([
    { level: 'info', fields: { requestType: 'verify', status: 200, outcome: 'ok' } },
    {
      level: 'info',
      fields: { requestType: 'fetch_data', status: 200, outcome: 'ok', componentCount: 1 },
    },
    { level: 'warn', fields: { requestType: 'verify', status: 400, outcome: 'missing_code' } },
    {
      level: 'warn',
      fields: {
        requestType: 'fetch_data',
        status: 400,
        outcome: 'duplicate_parameter',
        parameters: ['issue_id'],
      },
    },
    { level: 'warn', fields: { requestType: undefined, outcome: 'unknown_request_type' } },
  ])
  expect(logger.lines[1]?.fields).not.toHaveProperty('failures')
  expect(JSON.stringify(logger.lines)).not.toMatch(
    /c0de|jane|account-1|issue-1|issue-2|user-1|org-1/,
  )
})

test('logs requests that are rejected for their path or method', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger })
  await app.request('/nothing-here')
  await app.request(FETCH_DATA, { method: 'POST' })
  expect(logger.lines).toMatchObject([
    { level: 'warn', fields: { status: 404, outcome: 'not_found' } },
    { level: 'warn', fields: { status: 405, outcome: 'method_not_allowed' } },
  ])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('x')
    },
  ],
  ['rejects', () => Promise.reject(new Error('x')) as any],
])('responds although its logger %s', async (_name, log) => {
  const logger = { debug: log, info: log, warn: log, error: log }
  expect((await createTestApp({ logger }).request(FETCH_DATA)).status).toBe(200)
})
