import {
  find,
  full,
  json,
  type Parts,
  type Received,
  respond,
  type Seed,
  seeds,
  show,
  text,
} from './seed.ts'

const handshake =
  (verify: (code: string, received: Received) => Response | Promise<Response>): (() => Parts) =>
  () => ({ verify })
const plain = (body: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'text/plain', ...headers } })
const sticky = (): Parts => {
  let first = ''
  return { verify: (code) => json({ code: (first ||= code) }) }
}
const raced = (): Parts => {
  let current = ''
  return {
    async verify(code) {
      current = code
      await new Promise((resolve) => setTimeout(resolve, 2))
      return json({ code: current })
    },
  }
}
const nth =
  (every: number, bad: () => Response): (() => Parts) =>
  () => {
    let count = 0
    return { verify: (code) => ((count += 1) % every === 0 ? bad() : json({ code })) }
  }
const handshakes = (rules: readonly string[]) =>
  seeds('handshake', rules, {
    'code-fixed': handshake(() => json({ code: 'ok' })),
    'code-missing': handshake(() => json({})),
    'code-other-field': handshake((code) => json({ Code: code })),
    'code-nested': handshake((code) => json({ data: { code } })),
    'code-number': handshake(() => json({ code: 7 })),
    'code-null': handshake(() => json({ code: null })),
    'code-upper': handshake((code) => json({ code: code.toUpperCase() })),
    'code-lower': handshake((code) => json({ code: code.toLowerCase() })),
    'code-truncated': handshake((code) => json({ code: code.slice(0, 16) })),
    'code-trimmed': handshake((code) => json({ code: code.trim() })),
    'code-encoded': handshake((code) => json({ code: encodeURIComponent(code) })),
    'code-decoded-twice': handshake((code) =>
      json({ code: code.includes('%') ? 'x' : decodeURIComponent(code) }),
    ),
    'code-plus-as-space': handshake((code) => json({ code: code.replaceAll('+', ' ') })),
    'code-space-as-plus': handshake((code) => json({ code: code.replaceAll(' ', '+') })),
    'code-ascii-only': handshake((code) => json({ code: code.replaceAll(/[^ -~]/g, '?') })),
    'code-latin1': handshake((code) => json({ code: Buffer.from(code).toString('latin1') })),
    'code-html-escaped': handshake((code) => json({ code: code.replaceAll('&', '&amp;') })),
    'code-until-ampersand': handshake((code) => json({ code: code.split('&')[0] })),
    'code-quoted-text': handshake((code) => plain(JSON.stringify(code))),
    'code-prefixed': handshake((code) => plain(`code: ${code}`)),
    'code-doubled': handshake((code) => plain(code + code)),
    'code-as-html': handshake((code) => plain(code, { 'content-type': 'text/html' })),
    'code-as-xml': handshake((code) =>
      plain(`<code>${code}</code>`, { 'content-type': 'application/xml' }),
    ),
    'code-array': handshake((code) => json([code])),
    'code-json-string': handshake((code) => json(JSON.stringify(JSON.stringify({ code })))),
    'code-empty-body': handshake(() => plain('')),
    'code-201': handshake((code) => json({ code }, 201)),
    'code-204': handshake(() => new Response(null, { status: 204 })),
    'code-404': handshake((code) => json({ code }, 404)),
    'code-500': handshake(() => json({ error: 'x' }, 500)),
    'code-redirect': handshake(
      () => new Response(null, { status: 307, headers: { location: 'https://a.example/' } }),
    ),
    'code-comment': handshake((code) => json(`/* ok */ {"code":${JSON.stringify(code)}}`)),
    'code-concatenated': handshake((code) => json(`{"code":'${code}'}`)),
    'code-no-type': handshake((code) => new Response(new TextEncoder().encode(code))),
    'code-sticky': sticky,
    'code-raced': raced,
    'code-sometimes-500': nth(4, () => json({ error: 'x' }, 500)),
    'code-sometimes-html': nth(3, () => plain('<p>', { 'content-type': 'text/html' })),
    'code-bom': handshake((code) => json(`\uFEFF${JSON.stringify({ code })}`)),
    'code-utf16': handshake(
      (code) =>
        new Response(Buffer.from(JSON.stringify({ code }), 'utf16le'), {
          headers: { 'content-type': 'application/json' },
        }),
    ),
  })

const data =
  (make: (body: string, received: Received) => Response | Promise<Response>): (() => Parts) =>
  () => ({
    data: (each) => {
      const found = find(each.id)
      return make(
        JSON.stringify(found ? full(found) : show(text('Result', 'No such customer'))),
        each,
      )
    },
  })
const sometimes =
  (every: number, bad: () => Response): (() => Parts) =>
  () => {
    let count = 0
    return { data: ({ id }) => ((count += 1) % every === 0 ? bad() : respond(find(id))) }
  }
const responses = (rules: readonly string[]) =>
  seeds('HTTP and JSON', rules, {
    'data-201': data((body) => json(body, 201)),
    'data-202': data((body) => json(body, 202)),
    'data-404': data((body) => json(body, 404)),
    'data-500': data((body) => json(body, 500)),
    'data-302': data(
      () => new Response(null, { status: 302, headers: { location: 'https://a.example/' } }),
    ),
    'data-html': data((body) => json(body, 200, { 'content-type': 'text/html' })),
    'data-xml': data((body) => json(body, 200, { 'content-type': 'application/xml' })),
    'data-plain': data((body) => json(body, 200, { 'content-type': 'text/plain' })),
    'data-array': data((body) => json(`[${body}]`)),
    'data-twice': data((body) => json(JSON.stringify(body))),
    'data-null': data(() => json('null')),
    'data-empty': data(() => json('')),
    'data-truncated': data((body) => json(body.slice(0, -3))),
    'data-trailing': data((body) => json(`${body}<!-- cached -->`)),
    'data-prefix': data((body) => json(`)]}'\n${body}`)),
    'data-bom': data((body) => json(`\uFEFF${body}`)),
    'data-trailing-comma': data((body) => json(body.replace(/\]\}$/, ',]}'))),
    'data-nan': data((body) => json(body.replace('"1.0.0"', 'NaN'))),
    'data-single-quotes': data((body) => json(body.replaceAll('"', "'"))),
    'data-latin1': data(
      (body) =>
        new Response(Buffer.from(body.replace('Billing', 'Zoë'), 'latin1'), {
          headers: { 'content-type': 'application/json' },
        }),
    ),
    'data-utf16': data(
      (body) =>
        new Response(Buffer.from(body, 'utf16le'), {
          headers: { 'content-type': 'application/json' },
        }),
    ),
    'data-duplicate-keys': data((body) =>
      json(body.replace('{"version"', '{"version":"0.9.0","version"')),
    ),
    'data-jsonp': data((body) => json(`cb(${body})`)),
    'data-lines': data((body) => json(`${body}\n${body}`)),
    'data-two-mebibytes': data((body) =>
      json(`${body.slice(0, -1)},"pad":"${'x'.repeat(2_097_152)}"}`),
    ),
    'data-sometimes-500': sometimes(7, () => json({ error: 'x' }, 500)),
    'data-sometimes-html': sometimes(
      9,
      () => new Response('<p>busy</p>', { headers: { 'content-type': 'text/html' } }),
    ),
    'data-sometimes-null': sometimes(11, () => json('null')),
    'data-sometimes-reset': sometimes(8, (): never => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      })
    }),
    'data-every-20th-500': sometimes(20, () => json({ error: 'x' }, 500)),
  })

const errors = (rules: readonly string[]) =>
  seeds('errors and parameters', rules, {
    'no-type-is-data': () => ({ other: ({ id }) => respond(find(id)) }),
    'no-code-echoed': () => ({
      other: ({ params }) =>
        params.get('request_type') === 'verify'
          ? json({ code: params.get('code') ?? '' })
          : json({ error: 'x' }, 400),
    }),
    'other-500': () => ({ other: () => json({ error: 'x' }, 500) }),
    'other-html': () => ({
      other: () =>
        new Response('<h1>400</h1>', { status: 400, headers: { 'content-type': 'text/html' } }),
    }),
    'other-stack': () => ({
      other: () =>
        json(
          { error: 'Error: x\n    at a (/srv/app/a.js:1:2)\n    at b (/srv/app/b.js:3:4)' },
          500,
        ),
    }),
    'quote-in-email-500': data((body, { params }) =>
      params.get('requester_email')?.includes("'") ? json({ error: 'sql' }, 500) : json(body),
    ),
    'plus-in-email-500': data((body, { params }) =>
      params.get('requester_email')?.includes('+') ? json({ error: 'sql' }, 500) : json(body),
    ),
    'absent-ids-500': data((body, { params }) =>
      params.size <= 1 ? json({ error: 'x' }, 500) : json(body),
    ),
    'empty-ids-500': data((body, { params }) =>
      params.get('account_id') === '' ? json({ error: 'x' }, 500) : json(body),
    ),
    'long-ids-500': data((body, { params }) =>
      (params.get('issue_id') ?? '').length > 64 ? json({ error: 'x' }, 500) : json(body),
    ),
    'non-ascii-ids-500': data((body, { params }) =>
      /[^ -~]/.test(params.get('issue_id') ?? '') ? json({ error: 'x' }, 500) : json(body),
    ),
    'extra-parameter-400': data((body, { params }) =>
      params.has('sidecard_check') ? json({ error: 'x' }, 400) : json(body),
    ),
    'order-matters': data((body, { request }) =>
      /\?request_type/.test(request.url) ? json(body) : json({ error: 'x' }, 400),
    ),
    'no-issue-500': data((body, { params }) =>
      params.has('issue_id') ? json(body) : json({ error: 'x' }, 500),
    ),
    'no-requester-500': data((body, { params }) =>
      params.has('requester_id') ? json(body) : json({ error: 'x' }, 500),
    ),
  })
const headers = (rules: readonly string[]) =>
  seeds('headers', rules, {
    'cors-any': data((body) => json(body, 200, { 'access-control-allow-origin': '*' })),
    'cors-reflected': data((body, { request }) =>
      json(body, 200, { 'access-control-allow-origin': request.headers.get('origin') ?? '' }),
    ),
    sniffing: data((body) => json(body, 200, { 'x-content-type-options': '' })),
    'public-cache': data((body) => json(body, 200, { 'cache-control': 'public, max-age=60' })),
    'shared-cache': data((body) => json(body, 200, { 'cache-control': 's-maxage=60' })),
    'etag-cache': data((body) => json(body, 200, { 'cache-control': '', etag: '"1"' })),
  })
/** Mistakes of the handshake, of HTTP and JSON, and with parameters. */
export const contractSeeds: readonly Seed[] = [
  ...handshakes(['handshake-*', 'response-*']),
  ...responses(['data-*', 'response-*', 'reachable']),
  ...errors(['errors-*', 'parameters-*', 'future-*', 'data-consistent']),
  ...headers(['security-cors', 'security-nosniff', 'security-cache']),
]
