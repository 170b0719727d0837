import { describe, expect, test } from 'vitest'
import { type Client, createClient, isSidecardError, type SidecardError } from 'sidecard/client'
import { catchError, createScriptedClient, page, TOKEN } from '../../helpers/scripted-api.ts'

const valid = { baseUrl: 'https://api.example.com', accessToken: TOKEN }

/** Returns the error of `createClient()`. The test fails if it does not throw. */
function catchOptionError(options: unknown): SidecardError {
  try {
    createClient(options as never)
  } catch (error) {
    if (isSidecardError(error)) return error
    throw error
  }
  throw new Error('createClient() accepted it')
}

const OPTIONS = 'baseUrl, accessToken, timeoutMs, signal, headers, retry, maxPages, fetch'
const TIMEOUT = 'timeoutMs must be an integer from 1 to 2147483647 (milliseconds).'
const MAX_PAGES = 'maxPages must be a positive integer.'
const RETRY = 'retry must be an object.'
const MAX_RETRIES = 'retry.maxRetries must be an integer from 0 to 20.'
const BASE_DELAY = 'retry.baseDelayMs must be an integer from 0 to 2147483647 (milliseconds).'
const MAX_DELAY = 'retry.maxDelayMs must be an integer from 0 to 2147483647 (milliseconds).'
const CURSOR = 'cursor must be a non-empty string.'
const SIGNAL = 'signal must be an AbortSignal.'
const HEADERS = 'headers must be an object of strings, or Headers.'
const HEADER_NAMES = 'headers must be an object of valid header names and strings.'
const RECORD = 'the options argument must be an object.'

describe('createClient() rejects', () => {
  test.each([
    ['no options', undefined, RECORD],
    ['null', null, RECORD],
    ['a list', [], RECORD],
    ['a string', 'https://api.example.com', RECORD],
    ['no baseUrl', { accessToken: TOKEN }, 'baseUrl must be a URL'],
    [
      'a misspelled option',
      { ...valid, baseURL: 'x' },
      'there is no option "baseURL". Did you mean baseUrl?',
    ],
    [
      'an unknown option',
      { ...valid, tls: 5 },
      `there is no option "tls". The options are ${OPTIONS}.`,
    ],
    ['timeoutMs of 0', { ...valid, timeoutMs: 0 }, TIMEOUT],
    ['timeoutMs of a fraction of 1', { ...valid, timeoutMs: 0.5 }, TIMEOUT],
    ['a negative timeoutMs', { ...valid, timeoutMs: -1 }, TIMEOUT],
    ['timeoutMs of NaN', { ...valid, timeoutMs: Number.NaN }, TIMEOUT],
    ['timeoutMs of Infinity', { ...valid, timeoutMs: Infinity }, TIMEOUT],
    ['timeoutMs that timers do not keep', { ...valid, timeoutMs: 2 ** 31 }, TIMEOUT],
    ['timeoutMs as text', { ...valid, timeoutMs: '5000' }, TIMEOUT],
    ['timeoutMs of null', { ...valid, timeoutMs: null }, TIMEOUT],
    ['maxPages of 0', { ...valid, maxPages: 0 }, MAX_PAGES],
    ['maxPages of Infinity', { ...valid, maxPages: Infinity }, MAX_PAGES],
    ['maxPages of 1.5', { ...valid, maxPages: 1.5 }, MAX_PAGES],
    [
      'a misspelled option of retry',
      { ...valid, retry: { maxRetrys: 1 } },
      'there is no option "retry.maxRetrys". Did you mean maxRetries?',
    ],
    ['retry of true', { ...valid, retry: true }, RETRY],
    ['retry of null', { ...valid, retry: null }, RETRY],
    ['negative retries', { ...valid, retry: { maxRetries: -1 } }, MAX_RETRIES],
    ['endless retries', { ...valid, retry: { maxRetries: Infinity } }, MAX_RETRIES],
    ['21 retries', { ...valid, retry: { maxRetries: 21 } }, MAX_RETRIES],
    ['a back-off of NaN', { ...valid, retry: { baseDelayMs: Number.NaN } }, BASE_DELAY],
    ['a back-off as text', { ...valid, retry: { baseDelayMs: '5' } }, BASE_DELAY],
    ['an endless back-off', { ...valid, retry: { maxDelayMs: Infinity } }, MAX_DELAY],
    ['a negative back-off', { ...valid, retry: { maxDelayMs: -1 } }, MAX_DELAY],
    ['a signal that is none', { ...valid, signal: {} }, SIGNAL],
    ['half a signal', { ...valid, signal: { aborted: false } }, SIGNAL],
    ['a controller as signal', { ...valid, signal: new AbortController() }, SIGNAL],
    ['an invalid fetch', { ...valid, fetch: 'fetch' }, 'fetch must be a function.'],
    ['a Map of headers', { ...valid, headers: new Map([['a', 'b']]) }, HEADERS],
    ['headers as pairs', { ...valid, headers: [['a', 'b']] }, HEADERS],
    ['a header that is a number', { ...valid, headers: { 'x-tenant': 7 } }, HEADERS],
    ['an undefined header', { ...valid, headers: { 'x-tenant': undefined } }, HEADERS],
    ['a header name with a blank', { ...valid, headers: { 'x tenant': 'a' } }, HEADER_NAMES],
  ])('%s', (_name, options, message) => {
    const error = catchOptionError(options)
    expect(error.code).toBe('invalid_options')
    expect(error.message).toContain(`createClient: ${message}`)
    expect(error.message).toMatch(/[^.?][.?]$/)
  })

  test('no value at its limit', () => {
    const retry = { maxRetries: 20, baseDelayMs: 2_147_483_647, maxDelayMs: 0 }
    for (const timeoutMs of [1, 2_147_483_647]) {
      expect(() => createClient({ ...valid, timeoutMs, maxPages: 1, retry })).not.toThrow()
    }
  })

  test.each([
    ['no token', undefined],
    ['null', null],
    ['an empty token', ''],
    ['blanks', '  '],
    ['a token with a line break', `${TOKEN}\nx: y`],
    ['a token with a space', `a ${TOKEN}`],
    ['a token outside ASCII', `${TOKEN}é`],
    ['a number', 7],
  ])('%s as accessToken, without repeating it', (_name, accessToken) => {
    const error = catchOptionError({ ...valid, accessToken })
    expect(error.code).toBe('invalid_access_token')
    expect(error.message).toContain('accessToken')
    expect(error.message).not.toContain(TOKEN)
  })

  test.each([
    [`Bearer ${TOKEN}`, 'Pass the token without the word Bearer.'],
    [`bearer\t${TOKEN}`, 'Pass the token without the word Bearer.'],
    [`my bearer ${TOKEN}`, 'Is the secret set?'],
    ['', 'Is the secret set?'],
  ])('the token %j, with the fix', (accessToken, fix) => {
    expect(catchOptionError({ ...valid, accessToken }).message).toBe(
      `createClient: accessToken must be non-empty printable ASCII without whitespace. ${fix}`,
    )
  })

  test('a secret header value that cannot be sent, without repeating it', () => {
    const error = catchOptionError({ ...valid, headers: { 'x-key': 'canary\nvalue' } })
    expect(error.message + error.stack).not.toContain('canary')
  })
})

test.each([
  ['signal', { signal: {} }],
  ['signal', { signal: null }],
])('a call rejects an invalid %s (%#) and sends nothing', async (name, options) => {
  const { client, seen } = createScriptedClient([page([])])
  const error = await catchError(client.users.list(options as any))
  expect(error).toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(name),
  })
  expect(seen).toHaveLength(0)
})

test.each<[string, (client: Client) => PromiseLike<unknown>]>([
  [
    'client.users.list: there is no option "limt". Did you mean limit?',
    (client) => client.users.list({ limt: 5 } as never),
  ],
  [
    'client.tasks.create: there is no option "json". The options are signal.',
    (client) => client.tasks.create({ title: 'x' }, { json: {} } as never),
  ],
  [
    'client.messages.redact: there is no option "sgnal". Did you mean signal?',
    (client) => client.messages.redact({ issue_id: 'i', message_id: 'm' }, { sgnal: 5 } as never),
  ],
  [
    'client.users.list: limit must be a positive integer.',
    (client) => client.users.list({ limit: 0 }),
  ],
  [`client.tags.list: ${CURSOR}`, (client) => client.tags.list({ cursor: '' })],
  [`client.teams.list: ${CURSOR}`, (client) => client.teams.list({ cursor: 7 as never })],
  [
    'client.userRoles.list: the options argument must be an object.',
    (client) => client.userRoles.list(null as never),
  ],
  [
    'toArray: max must be an integer from 0, or Infinity.',
    (client) => client.users.list().toArray({ max: -1 }),
  ],
  [
    'client.request: signal must be an AbortSignal.',
    (client) => client.request('GET', '/x', { signal: {} as never }),
  ],
])('names the call and the option: %s', async (message, call) => {
  const { client, seen } = createScriptedClient([page([])])
  expect(await catchError(call(client))).toMatchObject({ code: 'invalid_options', message })
  expect(seen).toHaveLength(0)
})

test('undefined options have their defaults', async () => {
  const { client } = createScriptedClient([page([1])], {
    signal: undefined,
    headers: undefined,
    retry: undefined,
    maxPages: undefined,
  })
  expect((await client.users.list()).data).toEqual([1])
})

test('headers of the client are sent, and cannot replace the token', async () => {
  const { client, seen } = createScriptedClient([page([])], {
    headers: { 'x-a': 'client', 'x-b': 'client', authorization: 'Bearer other' },
  })
  await client.users.list()
  const sent = seen[0]?.headers
  expect([sent?.get('x-a'), sent?.get('x-b'), sent?.get('authorization')]).toEqual([
    'client',
    'client',
    `Bearer ${TOKEN}`,
  ])
})

test('accepts Headers, and hides their values', async () => {
  const { client, seen } = createScriptedClient(
    [Response.json({ error: 'key canary-4711 is wrong' }, { status: 403 })],
    {
      headers: new Headers({ 'x-key': 'canary-4711', 'x-tenant': 'b' }),
    },
  )
  const error = await catchError(client.users.list())
  expect(Object.fromEntries(seen[0]!.headers)).toMatchObject({
    'x-key': 'canary-4711',
    'x-tenant': 'b',
  })
  expect(error.body).not.toContain('canary')
})
