import { describe, expect, it } from 'vitest'
import { createTestService } from 'sidecard/testing'
import { createEndpointClient } from '../../../src/tools/service/endpoint-client.ts'

const SECRET = 'canary-4711-0815-2342'
const EMAIL = 'ada.lovelace@example.com'

const PAYLOAD = { version: '1.0.0', header: { title: 'T' }, components: [] }

/** Fetches the data of an endpoint that responds with these values. */
function fetchData(body: unknown, headers: Record<string, string> = {}, statusText = '') {
  const client = createEndpointClient({
    target: { fetch: () => Response.json(body, { headers, statusText }) },
    headers: { 'x-key': SECRET },
  })
  return client.fetchData({ account_id: 'acct-9981', requester_email: EMAIL })
}

/** The result without the response itself, which the caller may look at. */
async function describeResult(...args: Parameters<typeof fetchData>) {
  const {
    exchange: _exchange,
    payload: _payload,
    value: _value,
    ...rest
  } = await fetchData(...args)
  return JSON.stringify(rest)
}

const errorHeader = (issue: object) =>
  `:${btoa(JSON.stringify([{ kind: 'callback_failed', error: { name: SECRET, message: SECRET, issues: [issue] } }]))}:`

const badge = (fields: object) => ({
  ...PAYLOAD,
  components: [{ type: 'badge', label: 'L', items: [{ value: 'a', ...fields }] }],
})

describe('the result of a data fetch contains no secret of the request', () => {
  it.each<[string, unknown, Record<string, string>]>([
    [
      'in the trace ID',
      PAYLOAD,
      { 'x-sidecard-failure': 'callback_failed', 'x-sidecard-trace': SECRET },
    ],
    [
      'in a part of the trace ID',
      PAYLOAD,
      { 'x-sidecard-failure': 'callback_failed', 'x-sidecard-trace': `t-${SECRET.slice(0, 15)}` },
    ],
    [
      'in the code of a validation issue',
      PAYLOAD,
      {
        'x-sidecard-failure': 'callback_failed',
        'x-sidecard-error': errorHeader({ path: '', code: SECRET, message: 'm', fix: 'f' }),
      },
    ],
    ['in a color', badge({ color: SECRET }), {}],
    ['in a type', { ...PAYLOAD, components: [{ type: SECRET }] }, {}],
    ['in the version', { ...PAYLOAD, version: SECRET }, {}],
    ['in a field name', { ...PAYLOAD, [SECRET]: 1 }, {}],
    ['in the Content-Type', PAYLOAD, { 'content-type': `text/${SECRET}` }],
  ])('%s', async (_place, body, headers) => {
    expect(await describeResult(body, headers)).not.toContain('4711')
  })

  it('nor its IDs in quoted values', async () => {
    for (const value of [EMAIL, EMAIL.toUpperCase(), encodeURIComponent(EMAIL), 'acct-9981']) {
      for (const body of [badge({ color: value }), { ...PAYLOAD, version: value }]) {
        // oxlint-disable-next-line no-await-in-loop -- each value is its own case
        const shown = await describeResult(body)
        expect(shown).toContain('[hidden]')
        expect(shown.toLowerCase()).not.toMatch(/lovelace|9981/)
      }
    }
  })

  it('nor its secret and IDs in the explanation of a rejection', async () => {
    const detail = `No account has the email ${EMAIL}, the ID acct-9981 or the key ${SECRET}.`
    const client = createEndpointClient({
      target: {
        fetch: () =>
          new Response(JSON.stringify({ detail }), {
            status: 404,
            headers: { 'content-type': 'application/problem+json' },
          }),
      },
      headers: { 'x-key': SECRET },
    })
    const { findings } = await client.fetchData({ account_id: 'acct-9981', requester_email: EMAIL })
    expect(findings.map(({ message }) => message)).toEqual([
      'returned 404, expected 200: "No account has the email [hidden], the ID [hidden] or the key [hidden]."',
    ])
  })

  it('but other words stay readable', async () => {
    const { findings } = await fetchData(badge({ color: 'acct-99812' }))
    expect(findings[0]?.message).toContain('"acct-99812"')
  })
})

it('hides the secret of each request, if a test changes its headers', async () => {
  const headers = { 'x-key': 'first-secret-1' }
  const app = {
    fetch: (request: Request) => Response.json({ code: request.headers.get('x-key') }),
  }
  const service = createTestService(app, { headers })
  const first = await service.connect()
  headers['x-key'] = 'second-secret-2'
  const second = await service.connect()
  for (const result of [first, second]) {
    expect(result).toMatchObject({
      reason: 'code_differs',
      message: 'the response contains "[hidden]" instead of the code that was sent',
    })
  }
})
