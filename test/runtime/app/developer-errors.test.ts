import { expect, test } from 'vitest'
import { secretHeader, section, SidecardError, text } from 'sidecard'
import { parseErrorDetails } from '../../../src/runtime/internal/failure-detail.ts'
import { createTestApp, FETCH_DATA } from '../../helpers/app.ts'

const DEV = { headers: { 'x-sidecard-dev': '1' } }
const DEV_ENV = { SIDECARD_DEV: '1' }

const throwing = (message: string) => () => {
  throw new Error(message)
}

test('sends the error to developers, with its stack and without the secret', async () => {
  const secret = 'correct-horse-battery'
  const app = createTestApp({
    auth: secretHeader('x-secret', secret),
    fetchData: throwing(`cannot log in with ${secret}`),
  })
  const headers = { 'x-secret': secret, 'x-sidecard-dev': '1' }
  const response = await app.request(FETCH_DATA, { headers }, DEV_ENV)
  const value = response.headers.get('x-sidecard-error')
  expect(value).toMatch(/^:[A-Za-z0-9+/=]+:$/)
  const [detail] = parseErrorDetails(value)
  expect(detail).toMatchObject({
    kind: 'callback_failed',
    error: { name: 'Error', message: 'cannot log in with [redacted]' },
  })
  expect(detail?.error.stack).toContain('developer-errors.test')
  expect(JSON.stringify(detail)).not.toContain('correct-horse')
})

test.each([
  ['the token of a scheme', { authorization: 'Bearer tok-en/12' }, 'tok-en/12 is wrong'],
  ['a value with a scheme', { authorization: 'Bearer tok-en/12' }, 'Bearer tok-en/12 is wrong'],
  [
    'a value that contains another one',
    { 'x-a': 'abcdef', 'x-b': 'abcdef-ghijkl' },
    'abcdef-ghijkl is wrong',
  ],
  ['a value of six characters', { 'x-a': 'abcdef' }, 'abcdef is wrong'],
])('redacts %s', async (_, headers, message) => {
  const app = createTestApp({ fetchData: throwing(message) })
  const init = { headers: { ...headers, 'x-sidecard-dev': '1' } }
  const response = await app.request(FETCH_DATA, init, DEV_ENV)
  const [detail] = parseErrorDetails(response.headers.get('x-sidecard-error'))
  expect(detail?.error.message).toBe('[redacted] is wrong')
})

test.each([
  ['short values, which are parts of other words', 'plan', 'an unknown plan'],
  ['a text that no header has', 'de-AT de;q=0.9', 'de-de;q=0.9 is unknown'],
])('does not redact %s', async (_, value, message) => {
  const app = createTestApp({ fetchData: throwing(message) })
  const init = { headers: { 'x-a': value, 'x-sidecard-dev': '1' } }
  const response = await app.request(FETCH_DATA, init, DEV_ENV)
  const [detail] = parseErrorDetails(response.headers.get('x-sidecard-error'))
  expect(detail?.error.message).toBe(message)
})

test('sends validation issues with path, message and fix to developers', async () => {
  const app = createTestApp({
    fetchData: () => [{ type: 'text', label: 'Seats', value: 42 } as never],
  })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  expect(parseErrorDetails(headers.get('x-sidecard-error'))[0]?.error.issues).toEqual([
    {
      path: 'components[0].value',
      code: 'invalid_type',
      message: expect.stringContaining('a number'),
      fix: expect.stringContaining('String(value)'),
    },
  ])
})

test.each([
  ['the header is missing', {}, DEV_ENV],
  ['the header has another value', { headers: { 'x-sidecard-dev': 'true' } }, DEV_ENV],
  ['the variable is missing', DEV, {}],
  ['the variable has another value', DEV, { SIDECARD_DEV: 'true' }],
  ['there are no bindings', DEV, undefined],
])('sends no error if %s', async (_name, init, env) => {
  const app = createTestApp<Record<string, string>>({ fetchData: throwing('canary') })
  const response = await app.request(FETCH_DATA, init, env)
  expect(response.headers.get('x-sidecard-failure')).toBe('callback_failed')
  expect(response.headers.get('x-sidecard-error')).toBeNull()
})

test('keeps the errors under 6 KiB, for any thrown value', async () => {
  const huge = () => {
    const error = new Error('é\n"'.repeat(100_000))
    error.name = 'x'.repeat(100_000)
    error.stack = '🙂'.repeat(100_000)
    throw error
  }
  const app = createTestApp({
    fetchData: () => Array.from({ length: 30 }, (_, index) => section(`S${index}`, huge)),
  })
  const value = (await app.request(FETCH_DATA, DEV, DEV_ENV)).headers.get('x-sidecard-error') ?? ''
  expect(value.length).toBeLessThanOrEqual(6 * 1024)
  expect(parseErrorDetails(value).length).toBeGreaterThan(0)
})

test('tells developers the section, the place and the error of each failure', async () => {
  const app = createTestApp({
    fetchData: () => [
      text({ label: 'a', value: 'b' }),
      section('Orders', () => Promise.reject('db down')),
      Promise.reject(Object.assign(new Error('slow'), { stack: undefined })),
    ],
  })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  expect(parseErrorDetails(headers.get('x-sidecard-error'))).toEqual([
    {
      kind: 'section_failed',
      stale: false,
      section: 'Orders',
      component: 1,
      error: { name: 'string', message: 'db down' },
    },
    {
      kind: 'section_failed',
      stale: false,
      component: 2,
      error: { name: 'Error', message: 'slow' },
    },
  ])
})

test('shortens paths, messages and stacks for developers', async () => {
  const issue = { code: 'unknown_field', path: 'p'.repeat(500), message: 'm'.repeat(500), fix: 'f' }
  const error = Object.assign(new SidecardError('invalid_payload', 'e'.repeat(900)), {
    stack: 's'.repeat(9_000),
    issues: Array.from({ length: 5 }, () => issue),
  })
  const app = createTestApp({ fetchData: () => Promise.reject(error) })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  const [detail] = parseErrorDetails(headers.get('x-sidecard-error'))
  const { message, stack, issues } = detail!.error
  expect([message.length, stack?.length]).toEqual([600, 1_600])
  expect(issues?.map((each) => [each.path.length, each.message.length])).toEqual([
    [200, 200],
    [200, 200],
    [200, 200],
  ])
})

test('sends no error that does not fit into a header', async () => {
  const longMessage = '\u4e00'.repeat(9_000)
  const error = Object.assign(new SidecardError('invalid_payload', longMessage), {
    stack: longMessage,
    issues: [{ path: longMessage, message: longMessage }],
  })
  const app = createTestApp({ fetchData: () => Promise.reject(error) })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  expect(headers.get('x-sidecard-failure')).toBe('callback_failed')
  // An empty list.
  expect(headers.get('x-sidecard-error')).toBe(':W10=:')
})

// With a cost that grows with the square of the length, this would take minutes.
test('sends an error whose message is a million line breaks, with its first own frame', async () => {
  const app = createTestApp({ fetchData: throwing('\n'.repeat(1_000_000)) })
  const { headers } = await app.request(FETCH_DATA, DEV, DEV_ENV)
  const [detail] = parseErrorDetails(headers.get('x-sidecard-error'))
  expect(detail?.error.stack).toContain('developer-errors.test.ts')
})
