import { type } from 'arktype'
import { Hono } from 'hono'
import * as v from 'valibot'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { noAuth, secretHeader, sidecard, text } from 'sidecard'
import { SETUP_PROBLEMS } from '../../../src/runtime/internal/setup.ts'
import {
  createTestApp,
  FETCH_DATA,
  readPayload,
  createRecordingLogger,
  VERIFY,
} from '../../helpers/app.ts'

const SCHEMAS = {
  zod: z.object({ SECRET: z.string().min(8), PORT: z.coerce.number().int().positive() }),
  valibot: v.object({
    SECRET: v.pipe(v.string(), v.minLength(8)),
    PORT: v.pipe(v.string(), v.regex(/^[1-9]\d*$/), v.transform(Number)),
  }),
  arktype: type({ SECRET: 'string >= 8', PORT: 'string.integer.parse' }),
}

const VALID = { SECRET: 'correct-horse', PORT: '8787' }

describe.each(Object.entries(SCHEMAS))('with a schema of %s', (_name, schema) => {
  function createApp(logger = createRecordingLogger()) {
    const app = sidecard(schema as typeof SCHEMAS.zod, {
      header: { title: 'Test' },
      auth: secretHeader('x-secret', (env) => env.SECRET),
      logger,
      fetchData: ({ env }) => [text({ label: 'port', value: `${env.PORT + 1}` })],
    })
    return { app, logger }
  }
  const headers = { 'x-secret': VALID.SECRET }

  test('passes the validated bindings to auth and fetchData', async () => {
    const { app } = createApp()
    const response = await app.request(FETCH_DATA, { headers }, VALID)
    expect((await readPayload(response)).components[0].value).toBe('8788')
  })

  test.each([
    ['missing', { PORT: '8787' }, 'The binding SECRET is missing.'],
    ['invalid', { ...VALID, PORT: 'abc-canary' }, 'The binding PORT is invalid.'],
  ])('rejects every request if a binding is %s, and logs which', async (_state, env, problem) => {
    const { app, logger } = createApp()
    for (const path of [VERIFY, FETCH_DATA]) {
      const response = await app.request(path, { headers }, env)
      expect(response.status).toBe(500)
      expect(await response.json()).toMatchObject({ code: 'invalid_bindings' })
    }
    expect(logger.lines[0]).toMatchObject({ level: 'error', fields: { problems: [problem] } })
    expect(JSON.stringify(logger.lines)).not.toContain('canary')
    const problems = await (app as any)[SETUP_PROBLEMS](env)
    expect(problems).toEqual([problem])
  })
})

test('validates once per environment, and again for another one', async () => {
  const validate = vi.fn(async (value: unknown) => ({ value }))
  const app = sidecard(
    { '~standard': { version: 1, vendor: 'test', validate } },
    { header: { title: 'Test' }, auth: noAuth(), fetchData: () => [] },
  )
  const env = {}
  await Promise.all([1, 2, 3].map(async () => app.request(FETCH_DATA, {}, env)))
  expect(validate).toHaveBeenCalledTimes(1)
  await app.request(FETCH_DATA, {}, {})
  expect(validate).toHaveBeenCalledTimes(2)
})

test('passes bindings that are not plain objects by reference', async () => {
  class Namespace {
    get() {
      return 'stored'
    }
  }
  const KV = new Namespace()
  const fetcher = () => 'called'
  let seen: any
  const app = sidecard(
    // A validator that copies what it validates.
    {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({
          value: { KV: {}, fetcher: {}, plain: { copied: true }, absent: 'default' },
        }),
      },
    },
    { header: { title: 'Test' }, auth: noAuth(), fetchData: ({ env }) => ((seen = env), []) },
  )
  await app.request(FETCH_DATA, {}, { KV, fetcher, plain: { copied: false }, absent: null })
  expect(seen.KV).toBe(KV)
  expect(seen.fetcher).toBe(fetcher)
  expect(seen.plain).toEqual({ copied: true })
  expect(seen.absent).toBe('default')
})

test('rejects every request if the schema itself fails', async () => {
  const app = sidecard(
    {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => {
          throw new Error('canary')
        },
      },
    },
    { header: { title: 'Test' }, auth: noAuth(), logger: false, fetchData: () => [] },
  )
  const response = await app.request(FETCH_DATA)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('canary')
})

test('reads the variables of Sidecard from the raw bindings', async () => {
  const app = sidecard(z.object({ KEY: z.string() }), {
    header: { title: 'Test' },
    auth: noAuth(),
    logger: false,
    fetchData: () => {
      throw new Error('x')
    },
  })
  const env = { KEY: 'k', SIDECARD_DEV: '1' }
  const response = await app.request(FETCH_DATA, { headers: { 'x-sidecard-dev': '1' } }, env)
  expect(response.headers.get('x-sidecard-error')).not.toBeNull()
})

test('a mounted app validates the bindings of its parent', async () => {
  const app = sidecard(SCHEMAS.zod, {
    header: { title: 'Test' },
    auth: noAuth(),
    fetchData: ({ env }) => [text({ label: 'port', value: String(env.PORT) })],
  })
  const server = new Hono().route('/x', app)
  const response = await server.request(`/x${FETCH_DATA.slice(1)}`, {}, VALID)
  expect((await readPayload(response)).components[0].value).toBe('8787')
})

const SET_IT =
  'Set SIDECARD_SECRET to printable ASCII (Workers: npx wrangler secret put SIDECARD_SECRET; Node: an environment variable).'

test.each([
  [undefined, SET_IT],
  [{}, SET_IT],
  [{ SIDECARD_SECRET: '' }, SET_IT],
  [{ SIDECARD_SECRET: '  ', OTHER: 'x' }, SET_IT],
  [{ SIDECARD_SECERT: 'x' }, `${SET_IT} SIDECARD_SECERT is set: did you mean that name?`],
])(
  'the setup problem of %o says that the secret is not set, and how to set it',
  async (env, hint) => {
    const start = 'No secret is set for header "x-secret": all requests are rejected.'
    await expectSetupProblem({ binding: 'SIDECARD_SECRET' }, env, `${start} ${hint}`)
  },
)

test.each([
  ['clé-secrète', 'is not printable ASCII. Generate one with: openssl rand -hex 32'],
  [7, 'is a number, expected a string.'],
  [true, 'is a boolean, expected a string.'],
  [['', 7], 'is a number, expected a string.'],
  [
    { get: () => Promise.resolve('secret') },
    'is an object with get(). Pass (env) => env.SECRET.get().',
  ],
])('the setup problem of the unusable secret %o says what it is', async (secret, hint) => {
  const env = { SIDECARD_SECRET: secret }
  const start = 'The secret for header "x-secret" is unusable: all requests are rejected.'
  const binding = { binding: 'SIDECARD_SECRET' }
  await expectSetupProblem(binding, env, `${start} SIDECARD_SECRET ${hint}`)
  const read = () => secret
  await expectSetupProblem(read, env, `${start} The return value of the secret function ${hint}`)
})

async function expectSetupProblem(secret: any, env: any, problem: string) {
  const logger = createRecordingLogger()
  const app = sidecard({
    header: { title: 'Test' },
    auth: secretHeader('X-Secret', secret),
    logger,
    fetchData: () => [],
  })
  expect((await app.request(FETCH_DATA, { headers: { 'x-secret': 'x' } }, env)).status).toBe(401)
  expect(logger.lines).toMatchObject([
    { level: 'error', fields: { auth: 'unconfigured', setupHint: problem } },
  ])
  expect(await (app as any)[SETUP_PROBLEMS](env)).toEqual([problem])
}

test('rejects a constant secret beyond printable ASCII when the app is created', () => {
  expect(() => secretHeader('x-secret', 'clé')).toThrow(/printable ASCII/)
  expect(() => secretHeader('x-secret', ['ok', 'a\u0000b'])).toThrow(/printable ASCII/)
})

test('a schema that rejects all bindings at once, or fails, is a setup problem', async () => {
  const create = (validate: () => any) =>
    sidecard(
      { '~standard': { version: 1, vendor: 'test', validate } },
      { header: { title: 'Test' }, auth: noAuth(), logger: false, fetchData: () => [] },
    ) as any
  const rejecting = create(() => ({ issues: [{ message: 'canary' }] }))
  expect(await rejecting[SETUP_PROBLEMS]({})).toEqual(['The binding object is invalid.'])
  const nested = create(() => ({ issues: [{ message: 'x', path: ['DB', { key: 'url' }] }] }))
  expect(await nested[SETUP_PROBLEMS]({ DB: {} })).toEqual(['The binding DB.url is missing.'])
  expect(await nested[SETUP_PROBLEMS]({ DB: null })).toEqual(['The binding DB.url is missing.'])
  const failing = create(() => Promise.reject(new Error('canary')))
  const withoutResult = create(() => 7)
  for (const app of [failing, withoutResult]) {
    // oxlint-disable-next-line no-await-in-loop -- one app after another
    expect(await app[SETUP_PROBLEMS]({})).toEqual(['The schema of the bindings failed.'])
  }
  expect(await create(() => ({ value: {} }))[SETUP_PROBLEMS](null)).toEqual([])
})

test('a custom authentication needs no hint, and its errors are not setup problems', async () => {
  const problems = (authenticate: () => any) =>
    (createTestApp({ auth: { authenticate } }) as any)[SETUP_PROBLEMS]({})
  expect(await problems(() => 'unconfigured')).toEqual([
    'No secret is set: all requests are rejected.',
  ])
  expect(await problems(() => 'denied')).toEqual([])
  expect(await problems(() => Promise.reject(new Error('no store')))).toEqual([])
})

const NAME = Symbol('name')

test.each<[string, object, readonly PropertyKey[], string]>([
  ['the value of a binding', { KEY: 'hunter2' }, ['hunter2'], 'A binding is invalid.'],
  ['one of several values', { PORT: 1, KEY: 'hunter2' }, ['hunter2'], 'A binding is invalid.'],
  ['a part of a value', { KEY: 'a hunter22' }, ['hunter22'], 'A binding is invalid.'],
  ['also a value', { KEY: 'x', TO: 'length' }, ['KEY', 'length'], 'A binding is invalid.'],
  ['a symbol', { [NAME]: 1 }, [NAME], 'A binding is invalid.'],
  ['a short part of a value', { KEY: 'a hunter2' }, ['hunter2'], 'The binding hunter2 is missing.'],
  ['a name', { KEY: 'hunter2' }, ['hunter3'], 'The binding hunter3 is missing.'],
  [
    'a name next to a number',
    { PORT: 1 },
    ['DATABASE_URL'],
    'The binding DATABASE_URL is missing.',
  ],
  ['a name with a space', { 'MY KEY': 1 }, ['MY KEY'], 'The binding MY KEY is invalid.'],
  ['a nested name', { DB: { 'a b': 1 } }, ['DB', 'a b'], 'The binding DB.a b is invalid.'],
])('an issue whose path is %s is described without a value', async (_, env, path, problem) => {
  const validate = () => ({ issues: [{ message: 'canary', path }] })
  const logger = createRecordingLogger()
  const app = sidecard(
    { '~standard': { version: 1, vendor: 'test', validate } },
    { header: { title: 'Test' }, auth: noAuth(), logger, fetchData: () => [] },
  )
  expect((await app.request(FETCH_DATA, {}, env)).status).toBe(500)
  expect(logger.lines[0]?.fields['problems']).toEqual([problem])
})

class Parsed {
  readonly url = 'https://example.com/'
}

test.each([
  ['null', null],
  ['a text', 'text'],
  ['an object of a class', new Parsed()],
])('bindings that the schema turns into %s arrive unchanged', async (_, value) => {
  let seen: unknown
  const app = sidecard(
    { '~standard': { version: 1, vendor: 'test', validate: () => ({ value }) } },
    { header: { title: 'Test' }, auth: noAuth(), fetchData: ({ env }) => ((seen = env), []) },
  )
  expect((await app.request(FETCH_DATA, {}, { KEY: 'x' })).status).toBe(200)
  expect(seen).toBe(value)
})
