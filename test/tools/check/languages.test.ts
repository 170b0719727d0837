import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import type { CheckOptions } from 'sidecard/check'
import { findingLines } from './in-process.ts'

type Rejection = (granted: string, query: URLSearchParams) => string

/** The lines of a template, with the values of the query, as a page in PHP or ERB is written. */
interface Page {
  readonly plan?: string
  readonly renews?: string
  readonly label?: string
  readonly headers?: (request: Request) => Record<string, string>
  readonly guard?: (headers: Headers) => boolean
  /** The body of a rejection, from the body of a granted request. @default an error */
  readonly rejection?: Rejection
}

const SECRETS = { 'x-api-key': 'Key-9f8e7d6c5b', 'x-signature': 'Sig-1a2b3c4d5e' }

/** An endpoint that fills a text template and sets each header itself. */
class TemplatePage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams
    const { headers = () => ({}), guard = isSigned, rejection, ...values } = this.#page
    if (!guard(request.headers)) {
      const body = rejection?.(this.#render(query, values), query) ?? '{"error":"unauthorized"}'
      return this.#reply(body, 401, {})
    }
    switch (query.get('request_type')) {
      case 'verify': {
        const code = query.get('code') ?? ''
        return code === ''
          ? this.#reply('{"error":"no code"}', 400, {})
          : this.#reply(JSON.stringify({ code }), 200, headers(request))
      }
      case 'fetch_data':
        return this.#reply(this.#render(query, values), 200, headers(request))
      default:
        return this.#reply('{"error":"unknown"}', 400, {})
    }
  }

  #render(
    query: URLSearchParams,
    { plan = 'Pro', renews = '2027-01-31T00:00:00Z', label = 'Plan' }: Omit<Page, 'headers'>,
  ) {
    const account = query.get('account_id') ?? ''
    const date =
      renews === '' ? '' : `, { "type": "date_time", "label": "Renews", "value": "${renews}" }`
    const value = JSON.stringify(plan.replace('{account}', account))
    return `{ "version": "1.0.0",
      "header": { "title": "Subscription" },
      "components": [
        { "type": "text", "label": "Customer", "value": ${JSON.stringify(account)} },
        { "type": "text", "label": ${JSON.stringify(label)}, "value": ${value} }${date}
      ] }`
  }

  #reply(body: string, status: number, more: Record<string, string>) {
    const fixed = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' }
    return new Response(body, { status, headers: { ...fixed, ...more } })
  }
}

const isSigned = (headers: Headers) =>
  Object.entries(SECRETS).every(([name, value]) => headers.get(name) === value)

async function run(page: Page, options: CheckOptions = {}) {
  const sleep = async () => undefined
  const report = await check(new TemplatePage(page), { headers: SECRETS, sleep, ...options })
  return { report, lines: findingLines(report) }
}

describe('a value that another language prints by accident', () => {
  it('is found in a date', async () => {
    expect((await run({ renews: '0001-01-01T00:00:00Z' })).lines).toEqual([
      'warn | text-serialized | components[2].value | contains "0001-01-01T00:00:00Z"',
    ])
  })

  it.each([
    'None',
    'Infinity',
    "John ('Johnny') Doe",
    'Müller & Söhne, São Paulo',
    '50 % discount on {drafts}',
    ':smile: welcome',
    'A => B, map[1]',
    'https://a.example:8443/x@y',
    'None of the above',
    'Nil report',
    'Nile',
    '100%!',
    'Save 20 %! (today)',
    '#1 Object',
    'ann@1b6d3586.example',
    '2001-01-01',
    'Founded in 0001',
    'Ok(ay), Some(day)',
    'Northwind (Traders=Retail)',
    'Rate {100}, see ["FAQ"] and (a) => (b)',
    'ESPAÑA, Ð and Ñ',
    'Map of 3 { } and Set: 4',
    'Optional extras',
    '<3',
  ])('is not found in %s', async (plan) => {
    expect((await run({ plan })).lines).toEqual([])
  })
})

describe('a database error', () => {
  it.each([
    ['Error', 'SQLITE_ERROR: no such table: plans'],
    ['Plan', 'near "=": syntax error'],
    ['Plan', "Table 'billing.plans' doesn't exist"],
    ['Last failure', 'SQLSTATE[42S02]: Base table or view not found'],
  ])('is found: %s, %s', async (label, plan) => {
    expect((await run({ label, plan })).lines).toEqual([
      'warn | text-error-message | components[1].value | contains a database error',
    ])
  })

  it.each([
    ['Recent errors', 'SQLITE_BUSY: the database is locked'],
    ['Plan', 'No such thing as a free plan'],
  ])('is not found: %s, %s', async (label, plan) => {
    expect((await run({ label, plan })).lines).toEqual([])
  })
})

describe('a stack trace', () => {
  it.each([
    ['Plan', 'Meet at the office (line 12)'],
    ['Plan', 'Go, 3 goroutines'],
    ['Last crash', "app.rb:12:in `fetch'"],
  ])('is not found: %s, %s', async (label, plan) => {
    expect((await run({ label, plan })).lines).toEqual([])
  })
})

describe('a rejection', () => {
  const customers = ['northwind', 'globex'].map((id) => ({ ids: { account_id: id } }))

  it.each([
    ['if every text of it contains the requested ID', ''],
    ['after a byte order mark', '\uFEFF'],
  ])('must not contain the data, even %s', async (_when, start) => {
    const rejection = (body: string) => start + body
    const page = { plan: 'Plan of {account}', renews: '', rejection }
    const { lines } = await run(page, { customers })
    expect(lines).toEqual([expect.stringMatching(/^fail \| auth-rejection-data \|/)])
  })

  it.each<readonly [string, Rejection]>([
    ['an error', (_body, query) => JSON.stringify({ error: `no ${query.get('account_id')}` })],
    [
      'a payload',
      (_body, query) =>
        JSON.stringify({
          version: '1.0.0',
          header: { title: 'Subscription' },
          components: [{ type: 'text', label: 'Customer', value: query.get('account_id') ?? '' }],
        }),
    ],
  ])('may repeat the requested ID in %s', async (_kind, rejection) => {
    expect((await run({ plan: 'Plan of {account}', rejection }, { customers })).lines).toEqual([])
  })
})

describe('the headers of a response', () => {
  const tomorrow = () => new Date(Date.now() + 86_400_000).toUTCString()
  const always = (headers: Record<string, string>) => () => headers
  it.each<readonly [string, Page['headers'], RegExp]>([
    ['Expires', always({ expires: tomorrow() }), /security-cache \| Expires is "/],
    ['an ETag', always({ etag: 'W/"1a"' }), /security-cache \| there is an ETag, without/],
    ...[/^null$/, /^http:\/\/[\w.:]+\.sidecard-check\.example$/].map(
      (origins): readonly [string, (request: Request) => Record<string, string>, RegExp] => [
        `an Origin such as ${origins.source}`,
        ({ headers }) => {
          const origin = headers.get('origin') ?? ''
          return origins.test(origin) ? { 'access-control-allow-origin': origin } : {}
        },
        /security-cors \| .*, which is the Origin of the request \(data fetch for customer 1 from a page/,
      ],
    ),
    [
      'a copy of the Origin',
      ({ headers }) => {
        const origin = headers.get('origin')
        return origin === null ? {} : { 'access-control-allow-origin': origin, vary: 'Origin' }
      },
      /security-cors \| Access-Control-Allow-Origin is "https:.*", which is the Origin of the request \(data fetch for customer 1 from a page, /,
    ],
  ])('%s is found', async (_name, headers, expected) => {
    const { lines } = await run({ ...(headers !== undefined && { headers }) })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(expected)
  })

  it.each<readonly [string, Record<string, string>]>([
    ['Expires with no-store', { expires: tomorrow(), 'cache-control': 'no-store' }],
    ['Expires in the past', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['an invalid Expires', { expires: '0' }],
    ['an ETag with no-store', { etag: '"1"', 'cache-control': 'no-store' }],
    ['an ETag with private', { etag: '"1"', 'cache-control': 'private, max-age=60' }],
    ['an ETag with no-cache', { etag: '"1"', 'cache-control': 'no-cache' }],
    ['neither', {}],
  ])('%s are not', async (_name, headers) => {
    expect((await run({ headers: always(headers) })).lines).toEqual([])
  })

  it('that allow one other site are a finding', async () => {
    const own = always({ 'access-control-allow-origin': 'https://own.example' })
    expect((await run({ headers: own })).lines[0]).toContain('is "https://own.example"')
  })
})

describe('a second secret header', () => {
  const readsKey = (headers: Headers) => headers.get('x-api-key') === SECRETS['x-api-key']
  const readsEither = (headers: Headers) =>
    readsKey(headers) || headers.get('x-signature') === SECRETS['x-signature']

  it.each<readonly [string, Page['guard'], readonly string[]]>([
    [
      'that is not read is a note',
      readsKey,
      ['warn | auth-header-unread | not required: "x-signature"'],
    ],
    ['that is enough alone is no finding', readsEither, []],
    ['that is required is no finding', isSigned, []],
  ])('%s', async (_name, guard, expected) => {
    const { report, lines } = await run({ ...(guard && { guard }) }, { expectAuth: true })
    expect(lines).toEqual(expected)
    expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(0)
  })
})
