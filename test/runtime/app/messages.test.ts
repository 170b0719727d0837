import { expect, test } from 'vitest'
import { dateTime, type FetchDataContext, fields, identify, section, text } from 'sidecard'
import { NotAvailableError } from '../../../src/runtime/app/designed-card.ts'
import {
  createRecordingLogger,
  createTestApp,
  FETCH_DATA,
  neverResolves,
} from '../../helpers/app.ts'
import { readPayload } from '../../helpers/app.ts'

const rejects = () => Promise.reject(new Error('canary'))
const rows = (count: number) =>
  Array.from({ length: count }, () => text({ label: 'Plan', value: 'Pro' }))

async function show(fetchData: () => any) {
  const app = createTestApp({ fetchData, logger: false, timeoutMs: 20 })
  const response = await app.request(FETCH_DATA)
  const traceId = response.headers.get('x-sidecard-trace')
  return { traceId, components: (await readPayload(response)).components }
}

test.each<[string, () => any, string]>([
  ['fails', rejects, 'This could not be loaded. Try again in a moment.'],
  [
    'returns an invalid component',
    () => [{ type: 'link', label: 'Website', url: 'acme.example' }],
    'This data cannot be shown. Report the trace ID.',
  ],
  [
    'calls a builder with a date that has no end',
    () => [dateTime({ label: 'Ends', value: 'infinity' })],
    'This data cannot be shown. Report the trace ID.',
  ],
  [
    'passes a time zone that Intl does not know',
    () => fields({ Paid: new Date(0) }, { timeZone: 'Eastern Time (US & Canada)' }),
    'This data cannot be shown. Report the trace ID.',
  ],
  ['times out', neverResolves, 'This took too long to load. Try again in a moment.'],
])('the card of fetchData that %s says so, and has the trace ID', async (_, fetchData, reason) => {
  const { traceId, components } = await show(fetchData)
  expect(components).toEqual([
    {
      type: 'card',
      components: [
        { type: 'text', label: 'Not available', value: reason },
        { type: 'text', label: 'Trace ID', value: traceId },
      ],
    },
  ])
})

test.each([
  ['app_id', 'app ID'],
  ['widget_id', 'widget ID'],
  ['issue_id', 'issue ID'],
  ['organization_id', 'organization ID'],
  ['account_id', 'account ID'],
  ['requester_id', 'requester ID'],
  ['requester_email', 'requester email address'],
] as const)('the card for an issue without %s names the %s', async (name, words) => {
  const { components } = await show(() => {
    throw new NotAvailableError(name)
  })
  expect(JSON.stringify(components)).toContain(`This issue has no ${words}, so there is nothing`)
})

test.each<[string, any, () => any, string]>([
  [
    'too many components',
    { limits: { maxComponents: 3 } },
    () => rows(4),
    'The payload exceeds 3 components (limits.maxComponents).',
  ],
  [
    'too many bytes',
    { limits: { maxBodyBytes: 300 } },
    () => rows(40),
    'The payload exceeds 300 bytes (limits.maxBodyBytes).',
  ],
  ['more children than any limit', {}, () => Array(100_001), 'The content exceeds 100000 entries.'],
  ['a number', {}, () => 7, 'fetchData must return an array of components or payload(…).'],
  [
    'nothing',
    {},
    () => undefined,
    'fetchData must return an array of components or payload(…). It returned undefined: is a return missing?',
  ],
])('the log says what is wrong with %s', async (_, options, fetchData, message) => {
  const logger = createRecordingLogger()
  await createTestApp({ ...options, logger, fetchData }).request(FETCH_DATA)
  expect(logger.lines).toMatchObject([{ level: 'error', fields: { failures: [{ message }] } }])
})

test('with logErrors: name, the log has the path of a known field, but not of an unknown one', async () => {
  const logger = createRecordingLogger()
  const fetchData = (): any => [
    { type: 'text', label: 'a', value: 7, canary: 1 },
    { type: 'divider', canary: 1 },
  ]
  await createTestApp({ logger, logErrors: 'name', fetchData }).request(FETCH_DATA)
  const issues = [
    { code: 'invalid_type', path: 'components[0].value' },
    { code: 'unknown_field', path: 'components[0]' },
    { code: 'divider_field', path: 'components[1]' },
  ]
  expect(logger.lines[0]?.fields['failures']).toMatchObject([{ issues }])
})

test('middleware that throws no Error is logged with the value that it threw', async () => {
  const logger = createRecordingLogger()
  const middleware = [
    () => {
      // oxlint-disable-next-line no-throw-literal -- what users' middleware may do
      throw 'a text'
    },
  ]
  const response = await createTestApp({ logger, middleware }).request(FETCH_DATA)
  expect(response.status).toBe(500)
  expect(logger.lines).toMatchObject([
    { fields: { outcome: 'middleware_failed', error: { name: 'string', message: 'a text' } } },
  ])
})

test.each<[string, () => any[], number, string]>([
  ['a timeout', () => [slow()], 504, 'error'],
  ['a timeout and an error', () => [slow(), section('B', rejects)], 500, 'error'],
])('with errors: status, %s is answered with %i', async (_, fetchData, status, level) => {
  const logger = createRecordingLogger()
  const response = await createTestApp({ fetchData, logger, errors: 'status' }).request(FETCH_DATA)
  expect(response.status).toBe(status)
  expect(logger.lines[0]?.level).toBe(level)
})

function slow() {
  return section('A', neverResolves, { timeoutMs: 5 })
}

test('a text function that throws is replaced by the English text', async () => {
  const messages = {
    missingId: () => {
      throw new Error('canary')
    },
  }
  const fetchData = (ctx: any) => [text({ label: 'a', value: ctx.require('account_id') })]
  const app = createTestApp({ messages, fetchData, logger: false })
  const response = await app.request('/?request_type=fetch_data')
  expect(response.headers.get('x-sidecard-outcome')).toBe('not_available')
  expect(JSON.stringify(await readPayload(response))).toContain('This issue has no account ID')
})

test.each<[string, () => any, string, string]>([
  ['no customer', () => null, 'not_found', 'identify() found no customer.'],
  ['several', () => [{}, {}], 'ambiguous', 'identify() found several customers.'],
  ['a failure', rejects, 'identity_failed', 'A lookup of identify() failed.'],
])('identify() rejects with a message for %s', async (_, lookup, code, message) => {
  const params = { account_id: 'a1' } as FetchDataContext['params']
  const ctx = { params, signal: new AbortController().signal }
  await expect(identify(ctx, { account_id: lookup })).rejects.toMatchObject({ code, message })
})

test('ctx.require() throws an error with a name and the parameter', async () => {
  let thrown: unknown
  const fetchData = (ctx: FetchDataContext) => {
    try {
      ctx.require('account_id')
    } catch (error) {
      thrown = error
    }
    return []
  }
  await createTestApp({ fetchData }).request('/?request_type=fetch_data')
  expect(thrown).toMatchObject({ name: 'NotAvailableError', parameter: 'account_id' })
})
