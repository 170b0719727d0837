import { expect, test } from 'vitest'
import { secretHeader, SidecardError } from 'sidecard'
import { FETCH_DATA, createTestApp, createRecordingLogger, VERIFY } from '../../helpers/app.ts'

const SECRET = 'correct horse battery staple'

async function statuses(
  auth: ReturnType<typeof secretHeader<any>>,
  value: string | undefined,
  env?: unknown,
) {
  const app = createTestApp<any>({ auth })
  const init = value === undefined ? {} : { headers: { 'X-Sidecard-Secret': value } }
  const answers = await Promise.all([
    app.request(VERIFY, init, env as any),
    app.request(FETCH_DATA, init, env as any),
  ])
  return answers.map((answer) => answer.status)
}

test('accepts a handshake and a data fetch with the secret', async () => {
  expect(await statuses(secretHeader('x-sidecard-secret', SECRET), SECRET)).toEqual([200, 200])
})

test.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['another secret', 'wrong'],
  ['another case', SECRET.toUpperCase()],
  ['a prefix', SECRET.slice(0, -1)],
  ['a longer one', `${SECRET}x`],
  ['the secret twice', `${SECRET}, ${SECRET}`],
  ['the secret repeated', SECRET + SECRET],
])('rejects a handshake and a data fetch with %s', async (_name, value) => {
  expect(await statuses(secretHeader('x-sidecard-secret', SECRET), value)).toEqual([401, 401])
})

test.each([
  ['undefined', undefined],
  ['null', null],
  ['an empty string', ''],
  ['blanks', '   '],
  ['an empty list', []],
  ['a list of blanks', ['', ' ', undefined]],
  ['a function that finds nothing', () => undefined],
  [
    'a function that throws',
    () => {
      throw new Error('no env')
    },
  ],
  ['a promise of nothing', () => Promise.resolve('')],
  ['a promise that rejects', () => Promise.reject(new Error('no store'))],
])('rejects every request while the secret is %s', async (_name, secret) => {
  for (const value of [undefined, '', ' ', 'undefined', 'null', SECRET]) {
    // oxlint-disable-next-line no-await-in-loop -- each value is its own case
    expect(await statuses(secretHeader('x-sidecard-secret', secret as any), value)).toEqual([
      401, 401,
    ])
  }
})

test('accepts each of several secrets during rotation', async () => {
  const auth = secretHeader('x-sidecard-secret', ['new', undefined, 'old'])
  expect(await statuses(auth, 'new')).toEqual([200, 200])
  expect(await statuses(auth, 'old')).toEqual([200, 200])
  expect(await statuses(auth, 'older')).toEqual([401, 401])
})

test('reads the secret from the bindings of each request, even asynchronously', async () => {
  const auth = secretHeader<any>('x-sidecard-secret', (env) => env.SECRET)
  expect(await statuses(auth, 'a', { SECRET: 'a' })).toEqual([200, 200])
  expect(await statuses(auth, 'a', { SECRET: 'b' })).toEqual([401, 401])
  const store = secretHeader<any>('x-sidecard-secret', async (env) => env.SECRET.get())
  expect(await statuses(store, 'a', { SECRET: { get: async () => 'a' } })).toEqual([200, 200])
})

test('ignores whitespace around a configured secret, which no header can contain', async () => {
  expect(await statuses(secretHeader('x-sidecard-secret', 'from-a-file\n'), 'from-a-file')).toEqual(
    [200, 200],
  )
})

test('rejects with a problem response that neither repeats nor names the secret', async () => {
  const app = createTestApp({ auth: secretHeader('x-sidecard-secret', SECRET) })
  const response = await app.request(FETCH_DATA, { headers: { 'x-sidecard-secret': 'canary' } })
  const body = await response.text()
  expect(JSON.parse(body)).toMatchObject({ status: 401, code: 'unauthorized' })
  expect(body).not.toMatch(/canary|correct horse/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('lists the accepted requests before checking the secret', async () => {
  const app = createTestApp({ auth: secretHeader('x-sidecard-secret', SECRET) })
  expect((await app.request('/')).status).toBe(400)
})

test.each([
  ['a constant', undefined, 'it'],
  ['a list', [''], 'it'],
  ['a function', () => undefined, 'the variable that the secret function reads'],
])('logs that the secret is not set, and how to set it: %s', async (_name, secret, what) => {
  const logger = createRecordingLogger()
  const auth = secretHeader('X-Sidecard-Secret', secret as any)
  await createTestApp({ logger, auth }).request(VERIFY)
  expect(logger.lines).toMatchObject([
    {
      level: 'error',
      fields: {
        requestType: 'verify',
        auth: 'unconfigured',
        status: 401,
        outcome: 'unauthorized',
        setupHint: `No secret is set for header "x-sidecard-secret": all requests are rejected. Set ${what} to printable ASCII (Workers: npx wrangler secret put; Node: an environment variable).`,
      },
    },
  ])
})

test('logs a wrong secret as a warning, and an authentication that throws as an error', async () => {
  const logger = createRecordingLogger()
  const auth = secretHeader('x-sidecard-secret', SECRET)
  await createTestApp({ logger, auth }).request(VERIFY)
  const broken = { authenticate: () => Promise.reject(new TypeError('no store')) }
  await createTestApp({ logger, auth: broken }).request(FETCH_DATA)
  const only = { logger, auth: broken, logErrors: 'name' as const }
  await createTestApp(only).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([
    { level: 'warn', fields: { requestType: 'verify', status: 401, auth: 'denied' } },
    {
      level: 'error',
      fields: {
        requestType: 'fetch_data',
        status: 401,
        auth: 'failed',
        error: { name: 'TypeError', message: 'no store', stack: expect.any(String) },
      },
    },
    { level: 'error', fields: { auth: 'failed' } },
  ])
  expect(logger.lines[2]?.fields['error']).toEqual({ name: 'TypeError' })
})

test.each(['', 'has space', 'has\nnewline', 'has:colon', 'trailing ', ' leading', undefined, 7])(
  'does not accept %j as the name of a header',
  (name) => {
    expect(() => secretHeader(name as string, SECRET)).toThrow(
      new SidecardError(
        'invalid_options',
        'secretHeader: the first argument must be a header name without spaces and colons, such as "x-sidecard-secret".',
      ),
    )
  },
)

const PROBLEM =
  "secretHeader: the secret must be printable ASCII (openssl rand -hex 32) in a string, an array of strings, a function of the bindings, or { binding: 'SIDECARD_SECRET' }."

test.each(['clé', [['ok', 'a\u0000b']], { binding: 7 }, { binding: '' }, {}, 7, [['ok', 7]]])(
  'does not accept %j as the secret',
  (secret) => {
    const create = () => secretHeader('x-sidecard-secret', secret as any)
    expect(create).toThrow(PROBLEM)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }))
  },
)

test('authenticate() without a hint may say that it is not configured', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, auth: { authenticate: () => 'unconfigured' } })
  expect((await app.request(FETCH_DATA)).status).toBe(401)
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { auth: 'unconfigured' } }])
})
