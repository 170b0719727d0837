import { expect, test } from 'vitest'
import { badge, card, noAuth, sidecard, text } from 'sidecard'
import { FETCH_DATA, makeApp, payloadOf, recordingLogger, VERIFY } from '../helpers/app.ts'

const valid = { header: { title: 'Test' }, auth: noAuth(), fetchData: () => [] }

test.each([
  ['no auth', { auth: undefined }, /auth must be/],
  ['no fetchData', { fetchData: undefined }, /fetchData must be/],
  ['no header', { header: undefined }, /header\.title/],
  ['no title', { header: {} }, /header\.title/],
  ['an empty title', { header: { title: '' } }, /header\.title/],
  ['a relative icon', { header: { title: 'x', icon_url: '/icon.png' } }, /header\.icon_url/],
  [
    'a script as icon',
    { header: { title: 'x', icon_url: 'javascript:alert(1)' } },
    /header\.icon_url/,
  ],
  [
    'a typo in the header',
    { header: { title: 'x', iconUrl: 'https://x.example/i.png' } },
    /header/,
  ],
  ['a deadline of 0', { timeoutMs: 0 }, /timeoutMs/],
  ['a deadline that no timer holds', { timeoutMs: 2 ** 31 }, /timeoutMs/],
  ['a deadline that is not a number', { timeoutMs: NaN }, /timeoutMs/],
  ['an unknown form of handshake', { handshake: 'xml' }, /handshake/],
  ['an unknown way of answering faults', { errors: 'throw' }, /errors/],
  ['a limit of 0', { limits: { maxComponents: 0 } }, /limits\.maxComponents/],
])('refuses %s when the app is made', (_name, options, message) => {
  expect(() => sidecard({ ...valid, ...options } as any)).toThrow(message)
  expect(() => sidecard({ ...valid, ...options } as any)).toThrow(
    expect.objectContaining({ code: 'invalid_options' }),
  )
})

test('limits count the components in cards, and the bytes of the JSON', async () => {
  const components = [
    card({ components: [text({ label: 'é', value: 'é' }), badge({ label: 'x', items: [] })] }),
  ]
  const kind = async (limits: object) =>
    (await makeApp({ limits, fetchData: () => components }).request(FETCH_DATA)).headers.get(
      'x-sidecard-fault',
    )
  expect(await kind({ maxComponents: 3 })).toBeNull()
  expect(await kind({ maxComponents: 2 })).toBe('payload_too_large')
  const bytes = new TextEncoder().encode(
    JSON.stringify(
      await payloadOf(await makeApp({ fetchData: () => components }).request(FETCH_DATA)),
    ),
  ).length
  expect(await kind({ maxBodyBytes: bytes })).toBeNull()
  expect(await kind({ maxBodyBytes: bytes - 1 })).toBe('payload_too_large')
})

test('accepts more URI schemes by option only', async () => {
  const fetchData = () => [{ type: 'link', label: 'Call', url: 'tel:+1-816-555-1212' } as const]
  expect((await makeApp({ fetchData }).request(FETCH_DATA)).headers.get('x-sidecard-fault')).toBe(
    'invalid_payload',
  )
  const app = makeApp({ fetchData, uriSchemes: ['https', 'tel'] })
  expect((await payloadOf(await app.request(FETCH_DATA))).components).toHaveLength(1)
})

test('logs one line a request, without a value of the request', async () => {
  const logger = recordingLogger()
  const app = makeApp({ logger })
  await app.request(VERIFY)
  await app.request(FETCH_DATA)
  await app.request(`/?request_type=verify`)
  await app.request(`${FETCH_DATA}&issue_id=issue-2`)
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
        outcome: 'duplicated_parameter',
        parameters: ['issue_id'],
      },
    },
  ])
  expect(JSON.stringify(logger.lines)).not.toMatch(
    /c0de|jane|account-1|issue-1|issue-2|user-1|org-1/,
  )
})

test('logs the requests that it refuses by path and method too', async () => {
  const logger = recordingLogger()
  const app = makeApp({ logger })
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
])('answers although its logger %s', async (_name, log) => {
  const logger = { debug: log, info: log, warn: log, error: log }
  expect((await makeApp({ logger }).request(FETCH_DATA)).status).toBe(200)
})
