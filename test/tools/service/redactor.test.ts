import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/runtime/internal/create-redactor.ts'
import { secretsOf } from '../../../src/tools/service/endpoint/credentials.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'

const SECRET = 'Zq7!pL0x&"Wd/é+k9<TvB2=mN'

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Returns the longest part of the secret in a text. */
function longestPiece(secret: string, text: string): number {
  for (let length = secret.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= secret.length; start += 1) {
      if (text.includes(secret.slice(start, start + length))) return length
    }
  }
  return 0
}

describe('the redactor', () => {
  const redact = createRedactor([SECRET])

  it.each([
    ['unchanged', SECRET],
    ['in another case', SECRET.toUpperCase()],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['percent-encoded in lowercase', encodeURIComponent(SECRET).toLowerCase()],
    ['form-encoded', new URLSearchParams({ s: SECRET }).toString().slice(2)],
    ['as JSON', JSON.stringify(SECRET)],
    [
      'HTML-escaped',
      SECRET.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    ],
    ['base64', toBase64(SECRET)],
    ['base64 after one byte', toBase64(`x${SECRET}`)],
    ['base64 after two bytes', toBase64(`xy${SECRET}`)],
    ['base64 inside other data', toBase64(`{"key":"${SECRET}","more":1}`)],
    ['base64url', toBase64(SECRET).replaceAll('+', '-').replaceAll('/', '_')],
    [
      'hexadecimal',
      Array.from(new TextEncoder().encode(SECRET), (b) => b.toString(16).padStart(2, '0')).join(''),
    ],
  ])('hides a secret %s', (_form, text) => {
    const shown = redact(`before ${text} after`)
    expect(shown).toMatch(/^before .*\[hidden\].* after$/)
    expect(longestPiece(SECRET, shown)).toBeLessThanOrEqual(6)
  })

  it('leaves at most six characters of a secret at any truncation', () => {
    fc.assert(
      fc.property(
        fc
          .string({ minLength: 7, maxLength: 60, unit: 'grapheme-ascii' })
          .filter((s) => /^\S+$/.test(s)),
        fc.nat(60),
        fc.nat(60),
        (secret, from, to) => {
          fc.pre(!/^[\w.-]+=/.test(secret))
          const piece = secret.slice(Math.min(from, to), Math.max(from, to))
          const shown = createRedactor([secret])(`«${piece}»`)
          expect(longestPiece(secret, shown.replaceAll('[hidden]', '·'))).toBeLessThanOrEqual(6)
        },
      ),
    )
  })

  it('does not change other text', () => {
    const text = 'components[0].label is a number, expected a string (Bearer, session)'
    const headers = { authorization: 'Bearer abcdefghij', cookie: 'session=0123456789' }
    expect(createRedactor(secretsOf(headers))(text)).toBe(text)
  })

  it('hides the credentials after a scheme, the values of cookies and a Basic password', () => {
    const hide = createRedactor(
      secretsOf({
        'x-app': 'Bearer token-of-the-app',
        cookie: 'session=cookie-value-1; theme=cookie-value-2; dark=no',
        authorization: `Basic ${toBase64('service:pass:word')}`,
      }),
    )
    expect(hide('there is no answer')).toBe('there is no answer')
    expect(hide('Bearer token-of-the-app')).toBe('Bearer [hidden]')
    expect(hide('session=cookie-value-1; theme=cookie-value-2')).toBe(
      'session=[hidden]; theme=[hidden]',
    )
    expect(hide('the password is pass:word')).toBe('the password is [hidden]')
    expect(hide(toBase64('service:pass:word'))).toBe('[hidden]')
  })

  it('hides a short secret only as a word', () => {
    const hide = createRedactor(['k9'])
    expect(hide('k9 and k99, "k9"')).toBe('[hidden] and k99, "[hidden]"')
  })

  it('hides several secrets next to each other once', () => {
    expect(createRedactor(['first-secret', 'second-secret'])('first-secretsecond-secret!')).toBe(
      '[hidden]!',
    )
  })

  it('does nothing without secrets', () => {
    expect(createRedactor([])('text')).toBe('text')
    expect(createRedactor(secretsOf({ 'x-a': '', 'x-b': '  ', accept: 'text' }))('text')).toBe(
      'text',
    )
  })

  it('takes linear time for a long text and a long secret', () => {
    const secret = 'a'.repeat(4_000)
    const hide = createRedactor([secret, 'Zq7!pL0x'.repeat(500)])
    const startedAt = process.cpuUsage()
    expect(hide('ab'.repeat(2_000_000))).toHaveLength(4_000_000)
    expect(hide('a'.repeat(4_000_000))).toBe('[hidden]')
    expect(cpuMs(startedAt)).toBeLessThan(4_000)
  })
})
