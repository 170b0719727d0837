import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hmacSignature, signQuery } from 'sidecard'
import { FETCH_DATA, createTestApp, createRecordingLogger, VERIFY } from '../helpers/app.ts'

const SECRET = 'correct horse battery staple'

async function status(
  path: string,
  signature: string | undefined,
  secret: any = SECRET,
  env?: any,
) {
  const app = createTestApp<any>({ auth: hmacSignature<any>({ header: 'X-Signature', secret }) })
  const init = signature === undefined ? {} : { headers: { 'x-signature': signature } }
  return (await app.request(path, init, env)).status
}

/**
 * Signatures by OpenSSL, not by the code under test: `printf '%s' '<text>' |
 * openssl dgst -sha256 -hmac '<secret>'`.
 */
const VECTORS: readonly { name: string; query: string; secret: string; signature: string }[] = [
  {
    name: 'a handshake',
    query: 'request_type=verify&code=c0de',
    secret: 'secret',
    signature: 'f967d913c3269e014da24f1d84a08b405eb1c2e2a35b854fe75965e9d2cfdd41',
  },
  {
    name: 'the three characters of HTML, and a value given twice',
    query: 'request_type=fetch_data&issue_id=1&issue_id=2&account_id=a%3Cb%3Ec%26d',
    secret: 'secret',
    signature: 'aa12186782234ce68e87a215eaaa50bd075a6ca5c594cdce9363be74a7d5247a',
  },
  {
    name: 'both line separators, and a secret with a blank',
    query:
      'requester_email=jane%2Bx%40example.com&account_id=line%E2%80%A8and%E2%80%A9end&request_type=fetch_data',
    secret: 'k y~',
    signature: '5d645092591a22d08ebe208e2ee8978608f5488f4a7f5706dd52ccebefe46a28',
  },
  {
    name: 'names sorted by code point, quotes, and an empty value',
    query:
      '%F0%9F%99%82=%F0%9F%91%8D&%EF%BC%A1=%C3%A9+%22q%22+%5C+/&request_type=fetch_data&account_id=',
    secret: 'a b',
    signature: 'e083ace6a9f4a732ef10811aa97d584ee300e9c20b5bda9cada2d76939c71216',
  },
  {
    name: 'a name that objects already have',
    query: 'request_type=verify&code=%3C&__proto__=x',
    secret: 'never',
    signature: '599991a41bb49fdef171e5ddd13651bec45e374c0c57834db9ead022665b524f',
  },
  {
    name: 'controls, and a name that is escaped',
    query: 'a%26b=%01%08%0A%09&request_type=fetch_data',
    secret: 'secret',
    signature: '9d50c168432b55e7c5ea40c99f2de573c0de99e472c910974180fb36e9145e11',
  },
]

test.each(VECTORS)('accepts the signature of $name', async ({ query, secret, signature }) => {
  expect(await signQuery(`https://example.com/billing?${query}`, secret)).toBe(signature)
  expect(await status(`/?${query}`, signature, secret)).not.toBe(401)
})

test('accepts a signed handshake and a signed data fetch', async () => {
  for (const path of [VERIFY, FETCH_DATA]) {
    const signature = await signQuery(path, SECRET)
    expect(await status(path, signature)).toBe(200)
    expect(await status(path, signature.toUpperCase())).toBe(200)
  }
})

test.each<[string, (signature: string) => string | undefined]>([
  ['none', () => undefined],
  ['an empty one', () => ''],
  ['one of another secret', () => '0'.repeat(64)],
  ['one that is cut off', (signature) => signature.slice(0, -2)],
  ['one that is longer', (signature) => `${signature}00`],
  ['one with a prefix', (signature) => `sha256=${signature}`],
  ['two', (signature) => `${signature}, ${signature}`],
  ['one that is no hex', (signature) => `${signature.slice(0, -1)}g`],
  ['one with a last digit changed', (s) => s.slice(0, -1) + (s.endsWith('0') ? '1' : '0')],
  ['one with a first digit changed', (s) => (s.startsWith('0') ? '1' : '0') + s.slice(1)],
])('rejects a handshake and a data fetch with %s', async (_, change) => {
  for (const path of [VERIFY, FETCH_DATA]) {
    expect(await status(path, change(await signQuery(path, SECRET)))).toBe(401)
  }
})

test('rejects any query other than the signed one', async () => {
  const signature = await signQuery(FETCH_DATA, SECRET)
  for (const path of [
    FETCH_DATA.replace('account-1', 'account-2'),
    FETCH_DATA.replace('account_id=account-1', 'account_id='),
    FETCH_DATA.replace('&account_id=account-1', ''),
    `${FETCH_DATA}&account_id=account-2`,
    `${FETCH_DATA}&more`,
    FETCH_DATA.replace('account_id', 'Account_id'),
  ]) {
    expect(await status(path, signature)).toBe(401)
  }
  const reordered = `/?${FETCH_DATA.slice(2).split('&').toReversed().join('&')}`
  expect(await status(reordered, signature)).toBe(200)
})

test.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['empty', ''],
  ['blank', '  '],
  ['an empty list', []],
  ['a list of blanks', ['', ' ', undefined]],
  ['a function that finds nothing', () => undefined],
  ['a promise of nothing', () => Promise.resolve('')],
  [
    'a function that throws',
    () => {
      throw new Error('no env')
    },
  ],
  ['a promise that rejects', () => Promise.reject(new Error('no store'))],
])('rejects every request while the secret is %s', async (_, secret) => {
  // Signatures that an attacker can create without the secret.
  expect(await status(FETCH_DATA, undefined, secret)).toBe(401)
  for (const guess of [' ', 'undefined', 'null']) {
    // oxlint-disable-next-line no-await-in-loop -- each guess is its own case
    expect(await status(FETCH_DATA, await signQuery(FETCH_DATA, guess), secret)).toBe(401)
  }
})

test('accepts the old and the new secret during rotation', async () => {
  const rotation = (env: any) => [env.NEW, env.OLD]
  const env = { NEW: 'new', OLD: 'old' }
  for (const secret of ['new', 'old']) {
    expect(await status(FETCH_DATA, await signQuery(FETCH_DATA, secret), rotation, env)).toBe(200)
  }
  expect(await status(FETCH_DATA, await signQuery(FETCH_DATA, 'older'), rotation, env)).toBe(401)
  const signature = await signQuery(FETCH_DATA, 'old')
  expect(await status(FETCH_DATA, signature, rotation, { NEW: 'new' })).toBe(401)
})

test('logs how to set a missing secret, without secrets and signatures', async () => {
  const logger = createRecordingLogger()
  const make = (secret: string | undefined) =>
    createTestApp({ logger, auth: hmacSignature({ header: 'X-Signature', secret }) })
  const signature = await signQuery(FETCH_DATA, 'wrong')
  await make(undefined).request(FETCH_DATA, { headers: { 'x-signature': signature } })
  await make(SECRET).request(FETCH_DATA, { headers: { 'x-signature': signature } })
  expect(logger.lines).toMatchObject([
    {
      level: 'error',
      fields: { auth: 'unconfigured', setupHint: expect.stringContaining('x-signature') },
    },
    { level: 'warn', fields: { auth: 'denied' } },
  ])
  expect(JSON.stringify(logger.lines)).not.toMatch(new RegExp(`${signature}|${SECRET}`))
})

test.each(['', 'x signature', 'x:signature', undefined])('rejects the header name %j', (header) => {
  expect(() => hmacSignature({ header: header as string, secret: SECRET })).toThrow(
    /hmacSignature: header must be a header name/,
  )
})

test('accepts the signature of any query, and rejects that of another', async () => {
  const pairs = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), {
    maxLength: 5,
  })
  const path = (query: [string, string][]) =>
    `/?${new URLSearchParams([['request_type', 'verify'], ['code', 'c'], ...query.filter(([name]) => !['code', 'request_type'].includes(name))])}`
  await fc.assert(
    fc.asyncProperty(pairs, fc.string({ minLength: 1 }), async (query, extra) => {
      const signature = await signQuery(path(query), SECRET)
      expect(await status(path(query), signature)).toBe(200)
      expect(await status(path([...query, ['extra', extra]]), signature)).toBe(401)
    }),
    { numRuns: 50 },
  )
})

test.each([
  ['a name before a longer one', '?ab=1&a=2', '{"a":["2"],"ab":["1"]}'],
  ['the same names in another order', '?a=1&ab=2&abc=3', '{"a":["1"],"ab":["2"],"abc":["3"]}'],
  ['three names, the longest first', '?abc=1&ab=2&a=3', '{"a":["3"],"ab":["2"],"abc":["1"]}'],
  ['an emoji after every other letter', '?😀=1&｡=2', '{"｡":["2"],"😀":["1"]}'],
  [
    'emoji by their code points',
    '?\u{103ff}=1&\u{103fe}=2',
    '{"\u{103fe}":["2"],"\u{103ff}":["1"]}',
  ],
])('sorts %s', async (_name, query, signed) => {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(SECRET), algorithm, false, [
    'sign',
  ])
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(signed)))
  expect(await signQuery(`/${query}`, SECRET)).toBe(toHex(signature))
})

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

test('a signature with other characters around it is denied', async () => {
  const { query, secret, signature } = VECTORS[0]!
  expect(await status(`/?${query}`, signature, secret)).toBe(200)
  for (const other of [`0${signature}`, `${signature}0`, `x ${signature}`, '']) {
    expect(await status(`/?${query}`, other, secret)).toBe(401)
  }
})

test.each<[string, any, object, string]>([
  ['a secret that is not set', () => undefined, {}, 'unconfigured'],
  ['a missing signature', SECRET, {}, 'denied'],
  ['a signature that is none', SECRET, { 'x-signature': 'x' }, 'denied'],
])('the log says %s', async (_, secret, headers, auth) => {
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, auth: hmacSignature({ header: 'X-Signature', secret }) })
  expect((await app.request(FETCH_DATA, { headers: { ...headers } })).status).toBe(401)
  expect(logger.lines).toMatchObject([{ fields: { outcome: 'unauthorized', auth } }])
})
