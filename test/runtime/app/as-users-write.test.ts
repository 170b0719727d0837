import { expect, test, vi } from 'vitest'
import { audit, type AuditRecord, identify, secretHeader, text } from 'sidecard'
import { createRecordingLogger, createTestApp, FETCH_DATA, readPayload } from '../../helpers/app.ts'

const plan = () => [text({ label: 'Plan', value: 'Pro' })]

test('a request whose caller disconnects is not audited as seen', async () => {
  const caller = new AbortController()
  const records: AuditRecord[] = []
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    instrument: audit((record) => void records.push(record)),
    fetchData: () => (caller.abort(), plan()),
  })
  await app.request(FETCH_DATA, { signal: caller.signal })
  await app.request(FETCH_DATA)
  expect(records.map(({ status }) => status)).toEqual([499, 200])
  expect(logger.lines.at(-1)?.fields['status']).toBe(200)
})

test('the log line of a request whose caller disconnects has no status 200', async () => {
  const caller = new AbortController()
  const logger = createRecordingLogger()
  const app = createTestApp({ logger, fetchData: () => (caller.abort(), plan()) })
  await app.request(FETCH_DATA, { signal: caller.signal })
  expect(logger.lines).toMatchObject([{ fields: { outcome: 'aborted', status: 499 } }])
})

test.each([
  ['mi\u212Ae@corp.example', 'mi\u212Ae@corp.example'],
  [' MIKE@Corp.Example ', 'mike@corp.example'],
  ['JOS\u00C9@corp.example', 'jos\u00E9@corp.example'],
  ['\u039F\u0394\u039F\u03A3@corp.example', '\u03BF\u03B4\u03BF\u03C3@corp.example'],
  ['\u0130pek@corp.example', '\u0130pek@corp.example'],
  ['JANE@B\u00DCCHER.example', 'jane@xn--bcher-kva.example'],
  ['JANE@b\u00FC cher.example', 'jane@b\u00FC cher.example'],
  ['\u200Bja\u00ADne@\uFEFFcorp.exa\u200Bmple\u2060', 'jane@corp.example'],
])('a lookup by the email %s receives %s', async (requester_email, expected) => {
  const find = vi.fn(() => null)
  const app = createTestApp({
    fetchData: async (ctx) => (await identify(ctx, { requester_email: find }), plan()),
  })
  const query = new URLSearchParams({ request_type: 'fetch_data', requester_email })
  await app.request(`/?${query}`)
  expect(find).toHaveBeenCalledExactlyOnceWith(expected)
})

test('an ID with NUL matches no customer, without a lookup', async () => {
  const find = vi.fn(() => ({ id: 'a' }))
  const lookups = { account_id: find, requester_email: find }
  const app = createTestApp({
    fetchData: async (ctx) => (await identify(ctx, lookups), plan()),
  })
  const query = '/?request_type=fetch_data&account_id=a%00&requester_email=jane%00@acme.example'
  const response = await app.request(query)
  expect(response.headers.get('x-sidecard-outcome')).toBe('not_found')
  expect(await response.text()).toContain('account ID or requester email address')
  expect(find).not.toHaveBeenCalled()
})

test('an ID of spaces is absent for ctx.require()', async () => {
  const app = createTestApp({ fetchData: (ctx) => (ctx.require('account_id'), plan()) })
  const response = await app.request('/?request_type=fetch_data&account_id=%20')
  expect(response.headers.get('x-sidecard-outcome')).toBe('not_available')
})

test.each<[string, () => unknown]>([
  ['a list in a list', () => [[]]],
  ['a response', () => new Response(null, { status: 404 })],
  ['a map', () => new Map()],
  ['a result of pg', () => ({ rows: [], rowCount: 0 })],
  ['a result of D1', () => ({ results: [], success: true })],
  ['a result of D1 with its meta data', () => ({ results: [], success: true, meta: {} })],
  ['a result of PGlite', () => ({ rows: [], fields: [], affectedRows: 0 })],
])('a lookup that returns %s fails, and matches nobody', async (_, find) => {
  const app = createTestApp({
    fetchData: async (ctx) => (await identify(ctx, { account_id: find }), plan()),
  })
  const { headers } = await app.request(FETCH_DATA)
  expect(headers.get('x-sidecard-failure')).toBe('identity_failed')
})

test.each([
  ['a customer with rows', { rows: [1], name: 'Jane' }],
  ['a customer with results', { results: [1], name: 'Jane' }],
  ['a customer with rows and a row count', { rows: [1], rowCount: 1, name: 'Jane' }],
  ['a customer with results and success', { results: [], success: true, name: 'Jane' }],
])('a lookup that returns %s matches', async (_, customer) => {
  const find = () => customer
  const app = createTestApp({
    fetchData: async (ctx) => {
      const { value } = await identify(ctx, { account_id: find })
      return [text({ label: 'Name', value: value.name })]
    },
  })
  const { components } = await readPayload(await app.request(FETCH_DATA))
  expect(components[0].value).toBe('Jane')
})

test.each<[string, () => unknown]>([
  ['a list of rejecting promises', () => [Promise.reject(new Error('down'))]],
  ['an object with one', () => ({ secret: Promise.reject(new Error('down')) })],
  ['a promise of a list with one', async () => [Promise.reject(new Error('down')), 'right']],
])('a secret function that returns %s leaves no rejection unhandled', async (_, secret) => {
  const app = createTestApp({ auth: secretHeader('x-key', secret as never) })
  // Vitest fails the run for an unhandled rejection.
  const { status } = await app.request(FETCH_DATA, { headers: { 'x-key': 'other' } })
  await new Promise((resolve) => {
    setTimeout(resolve)
  })
  expect(status).toBe(401)
})

test('authenticate() that returns a rejecting promise in a list leaves none unhandled', async () => {
  const authenticate = () => [Promise.reject(new Error('down'))] as never
  const app = createTestApp({ auth: { authenticate } })
  expect((await app.request(FETCH_DATA)).status).toBe(401)
})

test.each<[string, unknown, string]>([
  ['another version', '2.0.0', 'whose version is not 1.0.0'],
  ['a version that is no text', 1, 'version: must be a string'],
  ['no version', undefined, 'version: is missing'],
])('a payload with %s is a failure, not one of 1.0.0', async (_, version, reason) => {
  const payload: any = { version, header: { title: 'a' }, components: [] }
  const errors: Error[] = []
  const app = createTestApp({
    fetchData: () => payload,
    onError: (error) => void errors.push(error as Error),
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('invalid_payload')
  expect(errors[0]?.message).toContain(reason)
  expect((await readPayload(response)).version).toBe('1.0.0')
})

test('a lookup that returns more than 10,000 matches fails', async () => {
  const findOf = (count: number) => () => Array.from({ length: count }, () => ({ id: 'a' }))
  const failure = async (count: number) => {
    const app = createTestApp({
      fetchData: async (ctx) => (await identify(ctx, { account_id: findOf(count) }), plan()),
    })
    const { headers } = await app.request(FETCH_DATA)
    return headers.get('x-sidecard-failure') ?? headers.get('x-sidecard-outcome')
  }
  expect([await failure(10_000), await failure(10_001)]).toEqual(['ambiguous', 'identity_failed'])
})

test('the line of a request has no list of unmatched IDs if there are none', async () => {
  const logger = createRecordingLogger()
  const app = createTestApp({
    logger,
    fetchData: async (ctx) => {
      await identify(ctx, { issue_id: () => null, account_id: () => ({ id: 'a' }) })
      return plan()
    },
  })
  await app.request('/?request_type=fetch_data&account_id=a')
  await app.request('/?request_type=fetch_data&account_id=a&issue_id=i')
  expect(logger.lines.map(({ fields }) => fields['unmatched'])).toEqual([undefined, ['issue_id']])
})

test('the error of a customer who is not found has a name', async () => {
  let caught: unknown
  const app = createTestApp({
    fetchData: async (ctx) => {
      caught = await identify(ctx, { account_id: () => null }).catch((error: unknown) => error)
      return plan()
    },
  })
  await app.request(FETCH_DATA)
  expect(caught).toMatchObject({ name: 'DesignedCardError', code: 'not_found' })
})
