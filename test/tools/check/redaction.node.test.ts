import { expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { formatReport, REPORTERS } from '../../../src/tools/check/report/reporters/index.ts'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../../helpers/listen.ts'
import { runCheck } from './helpers.ts'
import { inProcess, json, payload, type Parts, type Received } from './in-process.ts'

const SECRET = 'zq83-Secret-value-77xk'
const EMAIL = 'jane.canary@globex-dynamics.example'
const ACCOUNT = 'acct_9981canary'

const data = (received: Received, value: string, components: readonly unknown[]) =>
  json({ ...payload(received), components, header: { title: `Billing ${value}` } })
const encoded = (value: string) =>
  btoa(
    JSON.stringify([
      {
        kind: 'callback_failed',
        component: 0,
        error: {
          name: value,
          message: value,
          stack: `Error: ${value}\n    at ${value} (/app/src/${value}.ts:1:1)`,
          issues: [{ path: value, code: value, message: value, fix: value }],
        },
      },
    ]),
  )

/** Places in which an endpoint repeats a value that it received. */
const PLACES: ReadonlyArray<
  readonly [place: string, echo: (received: Received, value: string) => Response]
> = [
  [
    'a color',
    (received, value) =>
      data(received, '', [{ type: 'badge', label: 'x', items: [{ value: 'x', color: value }] }]),
  ],
  ['a type', (received, value) => data(received, '', [{ type: value, label: 'x' }])],
  [
    'a button_type',
    (received, value) =>
      data(received, '', [
        { type: 'button', label: 'x', url: 'https://a.test', button_type: value },
      ]),
  ],
  ['the version', (received, value) => json({ ...payload(received), version: value })],
  ['an unknown field', (received, value) => json({ ...payload(received), [value]: 1 })],
  ['a date', (received, value) => data(received, '', [{ type: 'date_time', label: 'x', value }])],
  [
    'a URL',
    (received, value) => data(received, '', [{ type: 'link', label: 'x', url: `no url ${value}` }]),
  ],
  [
    'a repeated label',
    (received, value) =>
      data(
        received,
        '',
        [1, 2].map((index) => ({ type: 'text', label: value, value: String(index) })),
      ),
  ],
  [
    'the Content-Type',
    (received, value) => json(payload(received), 200, { 'content-type': `text/${value}` }),
  ],
  ['a body that is not JSON', (_received, value) => json(`{${value}`)],
  [
    'a redirect',
    (_received, value) =>
      json('', 302, { location: `/login/${encodeURIComponent(value)}?next=${value}` }),
  ],
  [
    'the trace ID',
    (received, value) =>
      json(payload(received), 200, {
        'x-sidecard-failure': 'callback_failed',
        'x-sidecard-trace': value,
      }),
  ],
  [
    'the failure',
    (received, value) => json(payload(received), 200, { 'x-sidecard-failure': value }),
  ],
  [
    'the error',
    (received, value) =>
      json(payload(received), 200, {
        'x-sidecard-failure': 'callback_failed;component=0',
        'x-sidecard-error': `:${encoded(value)}:`,
      }),
  ],
  [
    'an HTML page',
    (_received, value) => json(`<html>${value}</html>`, 500, { 'content-type': 'text/html' }),
  ],
  [
    'a duplicate key',
    (_received, value) =>
      json(`{"version":"1.0.0","header":{},"components":[],"${value}":1,"${value}":2}`),
  ],
]

const VALUES: ReadonlyArray<readonly [kind: string, read: (received: Received) => string]> = [
  ['the secret', ({ request }) => request.headers.get('x-key') ?? ''],
  ['the email', ({ params }) => params.get('requester_email') ?? ''],
  ['the account ID', ({ params }) => params.get('account_id') ?? ''],
]

const FORBIDDEN = /zq83-secret|secret-value|jane\.canary|acct_9981/i

const cases = PLACES.flatMap(([place, echo]) =>
  VALUES.map(([kind, read]) => ({
    place,
    kind,
    data: (received: Received) => echo(received, read(received)),
  })),
)

const options = {
  headers: { 'x-key': SECRET },
  customers: [{ ids: { account_id: ACCOUNT, requester_email: EMAIL } }],
  sleep: async () => undefined,
  samples: 1,
}
const endpoint = (parts: Parts) =>
  inProcess({ authorized: ({ request }) => request.headers.get('x-key') === SECRET, ...parts })

it.each(cases)(
  'no report contains $kind that the endpoint repeats as $place',
  async ({ data: respond }) => {
    const report = await check(endpoint({ data: respond }), { ...options, details: true })
    expect(report.results.some(({ status }) => status === 'fail' || status === 'warn')).toBe(true)
    const { payload: _payload, ...rest } = report
    for (const reporter of REPORTERS) expect(formatReport(rest, reporter)).not.toMatch(FORBIDDEN)
    // The payload is the data of the customer, but a secret does not belong to it.
    expect(JSON.stringify(report.payload ?? '')).not.toMatch(/zq83-secret|secret-value/i)
  },
)

it('has the payload in a JSON report only with --details', async () => {
  const app = inProcess({ authorized: () => true })
  const url = await listen((request, response) => {
    void Promise.resolve(app.fetch(new Request(`http://x.test${request.url}`))).then(
      async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        response.end(await answer.text())
      },
    )
  })
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-details-'))
  const file = join(folder, 'r.json')
  const args = [url, '--param', `account_id=${ACCOUNT}`, '--samples', '1', '--no-expect-auth']
  const outputs = ['--reporter', `json=${file}`]
  await runCheck([...args, ...outputs])
  expect(readFileSync(file, 'utf8')).not.toMatch(FORBIDDEN)
  expect(JSON.parse(readFileSync(file, 'utf8'))).not.toHaveProperty('exchanges')
  await runCheck([...args, ...outputs, '--details'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    payload: { version: '1.0.0', components: [{ value: ACCOUNT }] },
    exchanges: expect.any(Array),
  })
})
