import { describe, expect, it } from 'vitest'
import { checkInProcess, dataFails, dataWith, findingLines, json, payload } from './in-process.ts'
import type { Answer, FindingRow, Received } from './in-process.ts'

const badge = (color: string) => ({ type: 'badge', label: 'B', items: [{ value: 'v', color }] })
const has = ({ params }: Received, name: string) => Boolean(params.get(name))
const type = (contentType: string) => ({ 'content-type': contentType })

/** Handshake 2 gets the code of handshake 3, and the other way around. */
function crossed(end: string): Answer {
  const second = Promise.withResolvers<string>()
  const third = Promise.withResolvers<string>()
  return async ({ code, count }) => {
    if (count === 2) second.resolve(code)
    if (count === 3) third.resolve(code)
    const other = count === 2 ? await third.promise : count === 3 ? await second.promise : code
    return new Response(`${other}${count < 4 ? end : ''}`, {
      headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
    })
  }
}

/** Returns the first text for every later one. */
function first(): (text: string) => string {
  let kept: string | undefined
  return (text) => (kept ??= text)
}

const ROWS: Readonly<Record<string, readonly FindingRow[]>> = {
  handshakes: [
    [
      'returns the first code again',
      () => {
        const keep = first()
        return { verify: ({ code }) => json({ code: keep(code) }) }
      },
      [
        'fail | handshake-code-cached | handshake 2, handshake 3, handshake 4 and 9 more returned the code of an earlier handshake',
      ],
    ],
    [
      'mixes up concurrent codes',
      () => ({ verify: crossed('') }),
      [
        'fail | handshake-code-mixed | handshake 2, handshake 3 returned the code of a concurrent handshake',
      ],
    ],
    [
      'mixes up concurrent codes, and adds a newline to one type of response',
      () => ({ verify: crossed('\n') }),
      [
        'fail | handshake-code-mixed | handshake 2, handshake 3 returned the code of a concurrent handshake',
        'fail | handshake-consistent | 1 of 3 handshakes failed; handshake 1: the code is surrounded by whitespace or newlines',
      ],
    ],
    [
      'fails once',
      () => ({ verify: ({ code, count }) => json({ code }, count === 3 ? 503 : 200) }),
      [
        'fail | handshake-consistent | 1 of 5 handshakes failed; handshake 3: returned 503, expected 200',
      ],
    ],
    [
      'fails when it is measured',
      () => ({ verify: ({ code, count }) => json({ code }, count > 14 ? 500 : 200) }),
      [
        'fail | handshake-consistent | 3 of 9 handshakes failed; repeated handshake 6: returned 500, expected 200',
        'fail | errors-survive | the final handshake returned 500',
      ],
      { profile: 'production', samples: 1, latencySamples: 8 },
    ],
    [
      'has a wrong type and one field too many',
      () => ({
        verify: ({ code }) =>
          json(` {"code":"${code.replace(/["\\]/g, '\\$&')}","ok":true}`, 200, type('text/html')),
      }),
      [
        'fail | handshake-content-type | the Content-Type is "text/html"',
        'fail | handshake-fields | the object has extra fields: ok',
      ],
    ],
    [
      'returns the first code again, as HTML',
      () => {
        const keep = first()
        return { verify: ({ code }) => json({ code: keep(code) }, 200, type('text/html')) }
      },
      [
        'fail | handshake-code-cached | handshake 2, handshake 3, handshake 4 and 9 more returned the code of an earlier handshake',
      ],
    ],
    [
      'returns text as HTML',
      () => ({ verify: ({ code }) => json(code, 200, type('text/html')) }),
      ['fail | handshake-content-type | the Content-Type is "text/html"'],
    ],
    [
      'decodes a plus sign as a space, and trims',
      () => ({ verify: ({ code }) => json({ code: code.replaceAll('+', ' ').trim() }) }),
      [
        'fail | handshake-code-characters | a code with a plus sign, surrounding spaces was not returned unchanged: the response contains "tok000000037 plus x" instead of the code that was sent',
      ],
    ],
    [
      'builds JSON by hand',
      () => ({ verify: ({ code }) => json(`{"code":"${code}"}`) }),
      [
        'warn | handshake-code-quoting | a code with a quotation mark and a backslash was not returned unchanged: the body is not JSON (invalid symbol at line 1, column 23): "{"code":"tok000000044"q\\n\'<b>"}"',
      ],
    ],
    [
      'does not decode, and builds JSON by hand',
      () => ({ verify: ({ code }) => json(`{"code":"${code.replaceAll('+', ' ')}"}`) }),
      [
        'fail | handshake-code-characters | a code with a plus sign was not returned unchanged: the response contains "tok000000037 plus x" instead of the code that was sent',
      ],
    ],
    [
      'changes all letters to lowercase',
      () => ({ verify: ({ code }) => json({ code: code.toLowerCase() }) }),
      [
        'fail | handshake-code-characters | a code with a percent escape was not returned unchanged: the response contains "tok000000039%41%2bz" instead of the code that was sent',
        'fail | handshake-consistent | 2 of 5 handshakes failed; handshake 2: the response contains "hstok000000033xtok000000033tok000000033tok000000033tok000000033t" instead of the code that was sent',
      ],
    ],
    [
      'throws on every request',
      () => ({
        verify: () => {
          throw new Error('no')
        },
        data: () => {
          throw new TypeError('no')
        },
      }),
      [
        'fail | response-http | handshake: the app threw instead of returning a response (it threw Error)',
        'fail | response-http | data fetch: the app threw instead of returning a response (it threw TypeError)',
      ],
    ],
  ],
  'data fetches': [
    [
      'fails once, for a made-up customer',
      () => ({ data: dataFails(({ count }) => count === 3) }),
      [
        'fail | data-consistent | 1 of 11 data fetches failed; data fetch for made-up customer 2: returned 500, expected 200',
      ],
    ],
    [
      'knows only the customer whose IDs were passed',
      () => ({ data: dataFails(({ params }) => params.get('account_id') !== 'acme', 422) }),
      [
        'warn | data-unknown | 11 of 11 data fetches for unknown customers failed; data fetch for made-up customer 6 alone: returned 422, expected 200',
        'warn | parameters-absent | returned 422, expected 200',
        'warn | parameters-empty | returned 422, expected 200',
      ],
      { customers: [{ ids: { account_id: 'acme' } }] },
    ],
    [
      'fails for one of two known customers',
      () => ({ data: dataFails(({ params }) => params.get('account_id') === 'globex') }),
      [
        'fail | data-consistent | 79 of 157 data fetches failed; data fetch for customer 2: returned 500, expected 200',
      ],
      { customers: [{ ids: { account_id: 'acme' } }, { ids: { account_id: 'globex' } }] },
    ],
    [
      'rejects an unknown header',
      () => ({ data: dataFails(({ request }) => request.headers.has('x-sidecard-check'), 400) }),
      [
        'fail | data-consistent | 1 of 11 data fetches failed; data fetch with an extra header: returned 400, expected 200',
      ],
    ],
    [
      'fails when it is measured',
      () => ({ data: dataFails(({ count }) => count === 9 || count === 10) }),
      [
        'fail | data-consistent | 2 of 11 data fetches failed; repeated data fetch 3: returned 500, expected 200',
      ],
      { profile: 'production', samples: 1, latencySamples: 4 },
    ],
    [
      'returns another type of the JSON family once',
      () => ({ data: dataWith(type('application/vnd.acme+json'), ({ count }) => count === 1) }),
      ['warn | data-content-type-exact | the Content-Type is "application/vnd.acme+json"'],
    ],
    [
      'shows a card instead of data',
      () => ({ data: dataWith({ 'x-sidecard-outcome': 'ambiguous' }) }),
      [
        'warn | data-outcome | data fetch 1, data fetch for customer 2: several customers match these IDs; the agent sees a card with this message',
      ],
      { customers: [{ ids: { account_id: 'acme' } }, { ids: { account_id: 'globex' } }] },
    ],
    [
      'reports failures',
      () => ({
        data: (received) =>
          json(payload(received), 200, {
            'x-sidecard-failure': received.params.has('account_id')
              ? 'section_failed;component=1'
              : 'timeout, section_timeout;component=0;stale',
            'x-sidecard-trace': 'trace-1',
          }),
      }),
      [
        'warn | data-failure | components[1] | 50 of 51 data fetches failed, also when they were repeated: data fetch 1, data fetch 2 and 48 more; section_failed: a section failed (trace ID trace-1)',
        'warn | data-failure | 1 of 51 data fetches failed, also when they were repeated: data fetch without IDs; timeout: fetchData timed out (trace ID trace-1)',
        'warn | data-failure | components[0] | 1 of 51 data fetches showed stale content: data fetch without IDs; section_timeout: a section timed out; stale content is shown (trace ID trace-1)',
      ],
    ],
    [
      'has a wrong type, and a component with an unknown color in some responses',
      () => ({
        data: (received) =>
          json(
            payload(received, received.count > 3 ? [badge('grey')] : []),
            200,
            type('text/html'),
          ),
      }),
      [
        'fail | data-content-type | the Content-Type is "text/html", expected application/json',
        'fail | badge-color | components[1].items[0].color | "grey" is not an allowed color (data fetch 2, data fetch 3, data fetch 4 and 4 more)',
      ],
    ],
    [
      'starts with a byte order mark, and has a component with an unknown color',
      () => ({
        data: (received) =>
          json(
            `\uFEFF${JSON.stringify(payload(received, [badge('grey')]))}`,
            200,
            type('text/html'),
          ),
        verify: ({ code }) => json(`\uFEFF${code}`, 200, type('text/plain')),
      }),
      [
        'fail | handshake-utf8 | the body starts with a byte order mark',
        'fail | data-content-type | the Content-Type is "text/html", expected application/json',
        'fail | data-utf8 | the body starts with a byte order mark',
        'fail | badge-color | components[1].items[0].color | "grey" is not an allowed color',
      ],
    ],
  ],
  'unusual data fetches': [
    [
      'needs IDs',
      () => ({ data: dataFails((received) => !received.params.has('account_id'), 404) }),
      ['warn | parameters-absent | returned 404, expected 200'],
    ],
    [
      'returns an invalid payload for empty IDs',
      () => ({
        data: (received) =>
          json(payload(received, received.params.get('app_id') === '' ? [badge('grey')] : [])),
      }),
      [
        'warn | parameters-empty | components[1].items[0].color | the payload is invalid: "grey" is not an allowed color',
      ],
    ],
    [
      'fails on a percent sign in an email address',
      () => ({
        data: dataFails(({ params }) => /%/.test(params.get('requester_email') ?? '')),
      }),
      [
        'fail | parameters-email | data fetch with special characters in the email: returned 500, expected 200',
      ],
    ],
    [
      'rejects unknown parameters',
      () => ({ data: dataFails((received) => has(received, 'sidecard_check'), 400) }),
      ['warn | future-extra-parameter | returned 400, expected 200'],
    ],
    [
      'shows other components because of an unknown parameter',
      () => ({
        data: (received) =>
          json(payload(received, has(received, 'sidecard_check') ? [{ type: 'divider' }] : [])),
      }),
      ['warn | future-extra-parameter | the response has other components than a regular one'],
    ],
    [
      'shows other labels in a card if the order changes',
      () => ({
        data: (received) => {
          const label = /\?request_type/.test(received.request.url) ? 'Plan' : 'None'
          const card = { type: 'card', components: [{ type: 'text', label, value: '1' }] }
          return json(payload(received, [card]))
        },
      }),
      ['warn | future-parameter-order | the response has other components than a regular one'],
    ],
    [
      'reports a failure if the order changes, and stale content always',
      () => ({
        data: (received) =>
          json(payload(received), 200, {
            'x-sidecard-failure': /\?request_type/.test(received.request.url)
              ? 'section_timeout;component=0;stale'
              : 'section_timeout;component=0;stale, callback_failed',
          }),
      }),
      [
        'warn | data-failure | components[0] | 51 of 51 data fetches showed stale content: data fetch 1, data fetch 2 and 49 more; section_timeout: a section timed out; stale content is shown',
        'warn | future-parameter-order | the endpoint reports callback_failed',
      ],
    ],
    [
      'shows other components without an issue, which is no problem',
      () => ({
        data: (received) =>
          json(payload(received, has(received, 'issue_id') ? [{ type: 'divider' }] : [])),
      }),
      [],
    ],
    [
      'fails without an issue',
      () => ({
        data: dataFails(
          (received) => !received.params.has('issue_id') && has(received, 'requester_id'),
        ),
      }),
      ['warn | future-no-issue | returned 500, expected 200'],
    ],
    [
      'fails without a requester',
      () => ({
        data: dataFails(({ params }) => !params.has('requester_email') && params.has('account_id')),
      }),
      [
        'warn | future-no-requester | returned 500, expected 200',
        ...['two accounts', 'a blank account', 'a zero byte', 'invalid percent-encoding'].map(
          (what) => `warn | errors-server | data fetch with ${what}: returned 500`,
        ),
      ],
    ],
  ],
}

describe.for(Object.entries(ROWS))('the findings about %s: the endpoint', ([, rows]) => {
  it.for<FindingRow>(rows)('%s', async ([, make, findings, options = {}]) => {
    expect(findingLines(await checkInProcess(make(), options))).toEqual(findings)
  })
})
