import { describe, expect, it } from 'vitest'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkInProcess, findingLines, findResult, json, payload } from './in-process.ts'
import type { Answer, Received } from './in-process.ts'

const text = (value: string) => ({ type: 'text', label: 'Note', value })

describe('the value of a secret header', () => {
  const basic = (credentials: string) => `Basic ${btoa(credentials)}`
  const KEY = { 'x-key': 'k<9&"\'é+/ü?Zz' }

  it.each<readonly [string, Record<string, string>, string, boolean]>([
    ['unchanged', { 'x-key': 'abcdefgh' }, 'the abcdefgh!', true],
    ['of seven characters, as a word', { 'x-key': 'abcdefg' }, 'the abcdefg!', true],
    ['of seven characters, in a word', { 'x-key': 'abcdefg' }, 'theabcdefg', false],
    ['of seven characters, before a digit', { 'x-key': 'abcdefg' }, 'abcdefg1', false],
    ['of seven characters, after a letter', { 'x-key': 'abcdefg' }, 'äabcdefg', false],
    ['of four characters, as a word', { 'x-key': 'a.b+' }, 'is a.b+', true],
    ['of four characters, which are no pattern', { 'x-key': 'a.b+' }, 'is aXbb', false],
    ['of three characters, as a word', { 'x-key': 'abc' }, 'the abc', false],
    [
      'of three characters, after the name of the header',
      { 'x-key': 'abc' },
      'got X-KEY : abc.',
      true,
    ],
    ['of three characters, as JSON', { 'x-key': 'abc' }, '{"x-key":"abc"}', true],
    [
      'of three characters, as JSON in JSON',
      { 'x-key': 'abc' },
      String.raw`{\"x-key\":\"abc\"}`,
      true,
    ],
    ['of three characters, after a word', { 'x-team-key': 'abc' }, 'the secret is abc', true],
    ['of three characters, after a part of a word', { 'x-team-key': 'abc' }, 'monkey = abc', false],
    ['of three characters, before more letters', { 'x-key': 'abc' }, 'token=abcd', false],
    ['JSON-escaped', KEY, JSON.stringify(KEY['x-key']), true],
    ['percent-encoded', KEY, encodeURIComponent(KEY['x-key']), true],
    ['with named entities', KEY, "k&lt;9&amp;&quot;'é+/ü?Zz", true],
    ['with numeric entities', KEY, 'k&#60;9&#38;&#34;&#39;é+/ü?Zz', true],
    ['in base64', KEY, btoa('k<9&"\'Ã©+/Ã¼?Zz'), true],
    ['in base64 after one character', KEY, btoa('1k<9&"\'Ã©+/Ã¼?Zz2'), true],
    ['in base64 after two characters', KEY, btoa('12k<9&"\'Ã©+/Ã¼?Zz34'), true],
    [
      'in URL-safe base64',
      { 'x-key': '??>>??>>' },
      btoa('??>>??>>').replaceAll('/', '_').replaceAll('+', '-'),
      true,
    ],
    ['in another base64', KEY, btoa('something else'), false],
    ['without its scheme', { authorization: 'Bearer t0ken-77' }, 't0ken-77', true],
    ['with its scheme', { authorization: 'Bearer k' }, 'got Bearer k', true],
    ['as the password', { authorization: basic('widget:pass-word') }, 'pass-word', true],
    [
      'as user and short password',
      { authorization: basic('widget:pw1') },
      'login widget:pw1',
      true,
    ],
    ['as the user only', { authorization: basic('widget-user:pw1') }, 'widget-user', false],
    ['of a cookie', { cookie: 'theme=dark; session=abcdefgh' }, 'abcdefgh', true],
    [
      'which is none: a tenant',
      { ...HEADERS, 'x-tenant': 'acme-corporation' },
      'acme-corporation',
      false,
    ],
    [
      'which is none: a signature that is accepted',
      { ...HEADERS, 'accept-signature': 'signature-one' },
      'signature-one',
      false,
    ],
    ['which looks random', { 'x-id': 'abcdefghijklmno1' }, 'abcdefghijklmno1', true],
    ['which does not look random', { 'x-id': 'abcdefghijklmnop' }, 'abcdefghijklmnop', false],
  ])('is found or not: %s', async (_name, headers, shown, isLeak) => {
    const report = await checkInProcess(
      { authorized: () => true, data: (received) => json(payload(received, [text(shown)])) },
      { headers, profile: isLeak ? 'production' : 'full', samples: 1 },
    )
    const { findings } = findResult(report, 'security-header-echo')
    expect(findings.map(({ path }) => path)).toEqual(isLeak ? ['components[1].value'] : [])
    for (const value of isLeak ? Object.values(headers) : []) {
      expect(JSON.stringify(report)).not.toContain(value)
    }
  })

  it('is found as a number', async () => {
    const report = await checkInProcess(
      { authorized: () => true, data: (received) => json({ ...payload(received), pin: 123 }) },
      { headers: { 'x-pin-token': '123' }, profile: 'production', samples: 1 },
    )
    expect(findResult(report, 'security-header-echo').findings).toEqual([])
    const named = await checkInProcess(
      { authorized: () => true, data: (received) => json({ ...payload(received), token: 123 }) },
      { headers: { 'x-pin-token': '123' }, profile: 'production', samples: 1 },
    )
    expect(findResult(named, 'security-header-echo').findings[0]?.path).toBe('token')
  })
})

describe('an ID of another customer', () => {
  const keep = (field: string, show: (received: Received, kept: string) => Response): Answer => {
    let kept: string | undefined
    return (received) => {
      kept ??= received.params.get(field) ?? 'none'
      return show(received, kept)
    }
  }
  const FOUND = (name: string) => [
    `fail | security-isolation | ${name}: contains an ID from another request`,
  ]

  it.each<readonly [string, () => Answer, readonly string[]]>([
    [
      'in place of the own one is found',
      () =>
        keep('account_id', (received, kept) =>
          json(payload({ ...received, params: new URLSearchParams({ account_id: kept }) })),
        ),
      FOUND('data fetch for made-up customer 1'),
    ],
    [
      'in upper case is found',
      () =>
        keep('requester_email', (received, kept) =>
          json({ ...payload(received), components: [text(kept.toUpperCase())] }),
        ),
      FOUND('data fetch for made-up customer 1'),
    ],
    [
      'of an issue is found, even for the same account',
      () => keep('issue_id', (received, kept) => json(payload(received, [text(kept)]))),
      FOUND('data fetch for made-up customer 1'),
    ],
    [
      'in a header is found',
      () =>
        keep('account_id', (received, kept) =>
          json({ ...payload(received), components: [] }, 200, { 'x-account': kept }),
        ),
      FOUND('data fetch for made-up customer 1'),
    ],
    [
      'next to the own one is not found',
      () =>
        keep('account_id', (received, kept) =>
          json(payload(received, received.params.get('account_id') ? [text(kept)] : [])),
        ),
      [],
    ],
    [
      'in a response without IDs is found',
      () =>
        keep('account_id', (received, kept) =>
          received.params.has('account_id')
            ? json(payload(received))
            : json(payload(received, [text(kept)])),
        ),
      FOUND('data fetch without IDs'),
    ],
    [
      'in a response with empty IDs is found',
      () =>
        keep('account_id', (received, kept) =>
          received.params.get('account_id') === ''
            ? json(payload(received, [text(kept)]))
            : json(payload(received)),
        ),
      FOUND('data fetch with empty IDs'),
    ],
    [
      'in a response for a special email address is found',
      () =>
        keep('account_id', (received, kept) =>
          received.params.get('requester_email')?.includes("'") === true
            ? json({ ...payload(received), components: [text(kept)] })
            : json(payload(received)),
        ),
      FOUND('data fetch with special characters in the email'),
    ],
    [
      'is not found in a list of several others',
      () => {
        const seen: string[] = []
        return (received) => {
          const others = seen.slice(-3).map(text)
          seen.push(received.params.get('account_id') ?? '')
          return json({ ...payload(received), components: others })
        }
      },
      [],
    ],
  ])('%s', async (_name, make, findings) => {
    const report = await checkInProcess({ data: make() })
    expect(findingLines(report).filter((line) => line.includes('isolation'))).toEqual(findings)
  })
})

describe('the payload of a report with details', () => {
  it('is the first valid one, without secrets', async () => {
    const report = await checkInProcess(
      {
        data: (received) =>
          received.count === 1
            ? json({ ...payload(received), components: 'none' })
            : json({
                ...payload(received, [text(`key ${HEADERS['x-key']}`)]),
                extra: { [HEADERS['x-key']]: null, count: 1, isOpen: false },
              }),
      },
      {
        profile: 'production',
        samples: 1,
        customers: [{ ids: { account_id: 'acme' } }, { ids: { account_id: 'globex' } }],
        details: true,
      },
    )
    expect(report.payload).toEqual({
      version: '1.0.0',
      header: { title: 'Billing' },
      components: [
        { type: 'text', label: 'Account', value: 'globex' },
        { type: 'text', label: 'Note', value: 'key [hidden]' },
      ],
      extra: { '[hidden]': null, count: 1, isOpen: false },
    })
  })

  it('is absent if none is valid', async () => {
    const data: Answer = (received) => json({ ...payload(received), components: 'none' })
    expect(await checkInProcess({ data }, { details: true })).not.toHaveProperty('payload')
  })
})
