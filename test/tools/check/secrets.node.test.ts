import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { formatReport, REPORTERS } from '../../../src/tools/check/report/reporters/index.ts'
import { endpoint, HEADERS, json, payload } from '../../fixtures/endpoints/reference.ts'
import type { ReceivedRequest } from '../../fixtures/endpoints/reference.ts'
import { brokenRules, checkAsCommand, findResult, serveInProcess } from './helpers.ts'

const SECRET = 'kX9-zQ7/vW3+pL5&tR1<uY8'
const html = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const base64 = (text: string) => Buffer.from(text).toString('base64')

const ENCODINGS: ReadonlyArray<readonly [name: string, encode: (secret: string) => string]> = [
  ['unchanged', (secret) => secret],
  ['in base64', base64],
  ['in base64 of a longer text', (secret) => base64(`user:${secret}:x`)],
  ['in URL-safe base64', (secret) => Buffer.from(secret).toString('base64url')],
  ['percent-encoded', encodeURIComponent],
  ['HTML-escaped', html],
  ['after so much that a message is cut in it', (secret) => `${'x'.repeat(70)}${secret}`],
]

/** Places of a response that a report may quote. */
const PLACES: ReadonlyArray<
  readonly [name: string, answer: (received: ReceivedRequest, text: string) => void]
> = [
  ['a value', (received, text) => component(received, { type: 'text', label: 'L', value: text })],
  ['a type', (received, text) => component(received, { type: text })],
  [
    'a field name',
    (received, text) => component(received, { type: 'text', label: 'L', value: 'V', [text]: 1 }),
  ],
  [
    'a color',
    (received, text) =>
      component(received, { type: 'badge', label: 'L', items: [{ value: 'V', color: text }] }),
  ],
  [
    'a URL',
    (received, text) => component(received, { type: 'link', label: 'L', url: `/x?k=${text}` }),
  ],
  [
    'a date',
    (received, text) => component(received, { type: 'date_time', label: 'L', value: text }),
  ],
  ['an error body', (received, text) => json(received, `not JSON: ${text}`)],
  ['a version', (received, text) => json(received, { ...payload(received), version: text })],
  [
    'a header',
    (received, text) =>
      json(received, payload(received), { headers: { 'access-control-allow-origin': text } }),
  ],
]

function component(received: ReceivedRequest, value: unknown): void {
  json(received, payload(received, [value]))
}

/**
 * Returns the sequences of seven characters of the secret, in any encoding, that
 * a text contains.
 */
function leakedParts(text: string, spelled: readonly string[]): readonly string[] {
  const folded = text.toLowerCase()
  return spelled.flatMap((spelling) => {
    const grams = Array.from({ length: Math.max(0, spelling.length - 6) }, (_, at) =>
      spelling.slice(at, at + 7).toLowerCase(),
    )
    return grams.filter((gram) => folded.includes(gram))
  })
}

describe.concurrent('a secret that an endpoint echoes', () => {
  const spelled = [SECRET, base64(SECRET), encodeURIComponent(SECRET)]

  it.each(
    ENCODINGS.flatMap(([name, encode]) =>
      PLACES.map(([place, answer]) => [name, place, encode, answer] as const),
    ),
  )('never appears in a report: %s, in %s', async (_name, _place, encode, answer) => {
    const url = await serveInProcess(
      endpoint({
        authorized: ({ request }) => request.headers['x-key'] === SECRET,
        data: (received) => answer(received, encode(SECRET)),
      }),
    )
    const headers = { 'x-key': SECRET }
    const report = await checkAsCommand(url, { headers, samples: 2, details: true })
    const leaks = REPORTERS.map((reporter) => [
      reporter,
      leakedParts(formatReport(report, reporter), spelled),
    ])
    expect(leaks).toEqual(REPORTERS.map((reporter) => [reporter, []]))
  })

  it('in any form never appears in a JSON report', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[!-~]{12,40}$/).filter((text) => /[a-z]/i.test(text)),
        async (secret) => {
          const target = {
            fetch: (request: Request) =>
              new URL(request.url).searchParams.get('request_type') === 'verify'
                ? new Response(request.headers.get('x-secret'))
                : Response.json({ components: [{ type: request.headers.get('x-secret') }] }),
          }
          const headers = { 'x-secret': secret }
          const report = await check(target, { headers, samples: 1, sleep: async () => undefined })
          const findings = report.results.flatMap((result) => result.findings)
          const text = findings.map(({ path = '', message }) => `${path} ${message}`).join('\n')
          expect(text).not.toContain(secret)
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each(ENCODINGS)('is a finding that names the path: %s', async (_name, encode) => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          component(received, {
            type: 'card',
            components: [{ type: 'text', label: 'L', value: `key ${encode(HEADERS['x-key'])}` }],
          }),
      }),
    )
    const report = await checkAsCommand(url)
    const { level, status, findings } = findResult(report, 'security-header-echo')
    expect([level, status]).toEqual(['MUST', 'fail'])
    expect(findings[0]?.path).toBe('components[3].components[0].value')
    expect(findings[0]?.message).toBe('data fetch 1: the response contains the value of "x-key"')
  })

  it('is found in the name of a field, whose path is hidden', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) => json(received, { ...payload(received), [HEADERS['x-key']]: 1 }),
      }),
    )
    const [finding] = findResult(await checkAsCommand(url), 'security-header-echo').findings
    expect(finding?.path).toBe('[hidden]')
  })

  it.each([
    ['Basic', { authorization: `Basic ${base64('widget:Zebra-Pass-77')}` }, 'Zebra-Pass-77'],
    ['Bearer', { authorization: 'Bearer Zebra-Token-77' }, 'Zebra-Token-77'],
    ['Cookie', { cookie: 'theme=dark; session=Zebra-Session-77' }, 'Zebra-Session-77'],
  ])('is found without its scheme: %s', async (_name, headers, secret) => {
    const url = await serveInProcess(
      endpoint({
        authorized: () => true,
        data: (received) =>
          component(received, { type: 'text', label: 'L', value: `got ${secret}` }),
      }),
    )
    const report = await checkAsCommand(url, { headers })
    expect(findResult(report, 'security-header-echo').findings[0]?.path).toBe('components[3].value')
    expect(leakedParts(JSON.stringify(report), [secret])).toEqual([])
  })

  it.each([
    ['of four characters, as a word', 'Qz7k', 'the key is Qz7k.', true],
    ['of four characters, inside a word', 'Qz7k', 'aQz7kb', false],
    ['of one character, after a name', 'k', 'x-key: k', true],
    ['of one character, in a word', 'k', 'kiosk', false],
  ])('is found if it is short: %s', async (_name, secret, value, isLeak) => {
    const url = await serveInProcess(
      endpoint({
        authorized: ({ request }) => request.headers['x-key'] === secret,
        data: (received) => component(received, { type: 'text', label: 'L', value }),
      }),
    )
    const report = await checkAsCommand(url, { headers: { 'x-key': secret } })
    expect(brokenRules(report).includes('security-header-echo')).toBe(isLeak)
  })
})

describe.concurrent('values that are not a leak', () => {
  it('is a tenant header in the response', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          component(received, {
            type: 'text',
            label: 'Tenant',
            value: String(received.request.headers['x-tenant']),
          }),
      }),
    )
    const headers = { ...HEADERS, 'x-tenant': 'acme-corporation-7' }
    const report = await checkAsCommand(url, { headers })
    expect(brokenRules(report)).toEqual([])
  })

  it.each([
    ['next to the own data', true],
    ['alone', false],
  ])('is a list of recently viewed customers %s', async (_name, showsOwn) => {
    const recent: string[] = []
    const url = await serveInProcess(
      endpoint({
        data(received) {
          const account = received.params.get('account_id') ?? ''
          const others = recent.filter((id) => id !== account).slice(-4)
          const list = others.map((id, at) => ({ type: 'text', label: `Recent ${at}`, value: id }))
          recent.push(account)
          const own = { type: 'text', label: 'Account', value: account }
          json(received, {
            version: '1.0.0',
            header: { title: 'Recently viewed' },
            components: showsOwn ? [own, ...list] : list,
          })
        },
      }),
    )
    expect(brokenRules(await checkAsCommand(url))).not.toContain('security-isolation')
  })
})
