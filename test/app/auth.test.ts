import { expect, test } from 'vitest'
import { secretHeader, SidecardError } from 'sidecard'
import { FETCH_DATA, makeApp, recordingLogger, VERIFY } from '../helpers/app.ts'

const SECRET = 'correct horse battery staple'

async function statuses(
  auth: ReturnType<typeof secretHeader<any>>,
  value: string | undefined,
  env?: unknown,
) {
  const app = makeApp<any>({ auth })
  const init = value === undefined ? {} : { headers: { 'X-Sidecard-Secret': value } }
  const answers = await Promise.all([
    app.request(VERIFY, init, env as any),
    app.request(FETCH_DATA, init, env as any),
  ])
  return answers.map((answer) => answer.status)
}

test('lets in who sends the secret, on a handshake and on a data fetch', async () => {
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
])('refuses %s, on a handshake and on a data fetch', async (_name, value) => {
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
])('lets nobody in when the secret is %s', async (_name, secret) => {
  for (const value of [undefined, '', ' ', 'undefined', 'null', SECRET]) {
    // oxlint-disable-next-line no-await-in-loop -- each value is a case of its own
    expect(await statuses(secretHeader('x-sidecard-secret', secret as any), value)).toEqual([
      401, 401,
    ])
  }
})

test('accepts each of several secrets while one is being rotated out', async () => {
  const auth = secretHeader('x-sidecard-secret', ['new', undefined, 'old'])
  expect(await statuses(auth, 'new')).toEqual([200, 200])
  expect(await statuses(auth, 'old')).toEqual([200, 200])
  expect(await statuses(auth, 'older')).toEqual([401, 401])
})

test('finds the secret in the environment of each request, also when it has to wait', async () => {
  const auth = secretHeader<any>('x-sidecard-secret', (env) => env.SECRET)
  expect(await statuses(auth, 'a', { SECRET: 'a' })).toEqual([200, 200])
  expect(await statuses(auth, 'a', { SECRET: 'b' })).toEqual([401, 401])
  const store = secretHeader<any>('x-sidecard-secret', async (env) => env.SECRET.get())
  expect(await statuses(store, 'a', { SECRET: { get: async () => 'a' } })).toEqual([200, 200])
})

test('ignores white space around a configured secret, which no header can carry', async () => {
  expect(await statuses(secretHeader('x-sidecard-secret', 'from-a-file\n'), 'from-a-file')).toEqual(
    [200, 200],
  )
})

test('refuses with a problem that neither repeats nor names the secret', async () => {
  const app = makeApp({ auth: secretHeader('x-sidecard-secret', SECRET) })
  const response = await app.request(FETCH_DATA, { headers: { 'x-sidecard-secret': 'canary' } })
  const body = await response.text()
  expect(JSON.parse(body)).toMatchObject({ status: 401, code: 'unauthorized' })
  expect(body).not.toMatch(/canary|correct horse/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

test('tells a newcomer what the endpoint expects before asking for the secret', async () => {
  const app = makeApp({ auth: secretHeader('x-sidecard-secret', SECRET) })
  expect((await app.request('/')).status).toBe(400)
})

test('says in the log that the secret is not set, and how to set it', async () => {
  const logger = recordingLogger()
  await makeApp({ logger, auth: secretHeader('x-sidecard-secret', undefined) }).request(VERIFY)
  expect(logger.lines).toMatchObject([
    { level: 'error', fields: { auth: 'unconfigured', status: 401 } },
  ])
  expect(logger.lines[0]?.fields['remedy']).toContain('wrangler secret put')
})

test.each(['', 'has space', 'has\nnewline', 'has:colon'])(
  'does not accept %j as the name of a header',
  (name) => {
    expect(() => secretHeader(name, SECRET)).toThrow(SidecardError)
  },
)
