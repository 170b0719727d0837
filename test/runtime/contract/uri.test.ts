import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIconUrl, isLink, isUri } from 'sidecard/schema'
import { checkUri } from '../../../src/runtime/contract/uri.ts'
import { URI_OF_RFC_3986 } from '../../helpers/rfc3986.ts'

/** Valid URIs of RFC 3986 with any scheme. */
const valid: Readonly<Record<string, readonly string[]>> = {
  'the examples of section 1.1.2': [
    'ftp://ftp.is.co.za/rfc/rfc1808.txt',
    'http://www.ietf.org/rfc/rfc2396.txt',
    'ldap://[2001:db8::7]/c=GB?objectClass?one',
    'mailto:John.Doe@example.com',
    'news:comp.infosystems.www.servers.unix',
    'tel:+1-816-555-1212',
    'telnet://192.0.2.16:80/',
    'urn:oasis:names:specification:docbook:dtd:xml:4.1.2',
  ],
  'any scheme': ['a:', 'A1+-.:x', 'HTTP://example.com', 'x:y', 'view-source+a.b:c', 'a:b:c'],
  'every form of path': [
    'https://h',
    'https://h/',
    'https://h//',
    'https://h//a//b',
    'https://h/a;b=1,2/c',
    'https://h/a:b@c',
    'file:///etc/hosts',
    'file:/etc/hosts',
    'x:/',
    'x:a/b//c',
    'x:@/:',
  ],
  'query and fragment': [
    'https://h?',
    'https://h#',
    'https://h?#',
    'https://h/?a=b&c=d/e?f',
    'https://h/#a/b?c',
    'https://h?a#b?c/d',
    'x:?a',
    'x:#a',
    'https://h/a?b=c#d=e&f',
    "https://h/!$&'()*+,;=:@-._~?!$&'()*+,;=:@-._~/?#!$&'()*+,;=:@-._~/?",
  ],
  'percent-encoding of either case': [
    'https://h/%20',
    'https://h/%aF%Fa',
    'https://%41/',
    'https://h?%00#%ff',
    'x:%25',
  ],
  userinfo: [
    'https://u@h',
    'https://u:p@h/',
    'https://@h',
    'https://:@h',
    'https://u:p:q@h',
    'https://%40@h',
    "https://!$&'()*+,;=@h",
  ],
  ports: [
    'https://h:',
    'https://h:0',
    'https://h:443/',
    'https://h:99999999',
    'https://[::]:443',
    'https://u:1@h:2',
  ],
  'names, also odd ones': [
    'https://a.b.c.',
    'https://a_b',
    'https://xn--bcher-kva.example',
    'https://a..b',
    'https://!$&(',
    'https://-',
  ],
  'IPv4, and names that look like it': [
    'https://127.0.0.1',
    'https://0.0.0.0',
    'https://255.255.255.255/',
    'https://256.1.1.1',
    'https://1.2.3',
  ],
  'IPv6 in every form': [
    'https://[::]',
    'https://[::1]',
    'https://[1::]',
    'https://[1:2:3:4:5:6:7:8]',
    'https://[::2:3:4:5:6:7:8]',
    'https://[1::3:4:5:6:7:8]',
    'https://[1:2:3:4:5:6:7::]',
    'https://[1:2:3:4:5:6::8]',
    'https://[1:2::7:8]',
    'https://[ABCD:ef01:2345:6789:abcd:EF01:2345:6789]/',
    'https://[::ffff:192.0.2.1]',
    'https://[1:2:3:4:5:6:192.0.2.1]',
    'https://[1:2:3:4:5::192.0.2.1]',
    'https://[::255.255.255.255]',
  ],
  IPvFuture: [
    'https://[v1.a]',
    'https://[V1F.a:b]',
    "https://[vF.!$&'()*+,;=:-._~]",
    'https://u@[v1.x]:8/',
  ],
}

const invalid: Readonly<Record<string, readonly string[]>> = {
  'no scheme': ['', 'example.com', '/a', '//h/a', '?a', '#a', ':', '://h', './a', '../a', 'a/b:c'],
  'an invalid scheme': [
    '1a:b',
    '-a:b',
    '+a:b',
    '.a:b',
    'a_b:c',
    'a b:c',
    'h%74tp://h',
    'ä:b',
    'http',
    'https//h',
  ],
  'space and line ends': [
    'https://h/a b',
    ' https://h',
    'https://h ',
    'https://h\n',
    'https://h/\n',
    '\nhttps://h',
    'https://h/\t',
    'https://h/\r\nX: y',
    'https://exa mple.com',
    'https:// h',
    'https://h?a b',
    'https://h#a b',
  ],
  controls: ['https://h/\u0000', 'https://h/\u0007', 'https://h/\u007f', 'https://h/\u0085'],
  'characters beyond ASCII': [
    'https://h/é',
    'https://bücher.example',
    'https://h/\u202e',
    'https://h/日本',
    'https://h/👩',
    'https://h/\ud800',
    'https://h?é',
    'https://h#é',
  ],
  'characters that are never allowed': ['"', '<', '>', '\\', '^', '`', '{', '|', '}'].flatMap(
    (one) => [`https://h/${one}`, `https://h?${one}`, `https://h#${one}`, `https://${one}h/`],
  ),
  'brackets outside a host': [
    'https://h/[a]',
    'https://h?[a]',
    'https://h?a[0]=1',
    'https://h#[',
    'https://a[b]',
    'https://[::1]a',
    'https://a[::1]',
    'x:[a]',
  ],
  'half a percent-encoding': [
    'https://h/%',
    'https://h/%2',
    'https://h/%2/',
    'https://h/%zz',
    'https://h/%2g',
    'https://h?%',
    'https://h#%1',
    'https://%/',
    'https://%4@h',
    'https://h/%%20',
    'https://h/%u0041',
    'https://h/%２0',
  ],
  'a second fragment': ['https://h#a#b', 'https://h/##', 'x:#a#', 'https://h?a#b#c'],
  'invalid ports': [
    'https://h:a',
    'https://h:80a',
    'https://h:-1',
    'https://h:8:8',
    'https://h::',
    'https://[::1]:x',
    'https://h:80:',
    'https://h:%38',
    'https://h:８',
  ],
  'two signs in the authority': ['https://u@v@h', 'https://a@b@', 'https://@@h', 'https://u@h@/'],
  'invalid IPv6': [
    'https://[]',
    'https://[:]',
    'https://[:::]',
    'https://[1]',
    'https://[1:2:3:4:5:6:7]',
    'https://[1:2:3:4:5:6:7:8:9]',
    'https://[1::2::3]',
    'https://[1:2:3:4:5:6:7:8::]',
    'https://[::1:2:3:4:5:6:7:8]',
    'https://[12345::]',
    'https://[g::]',
    'https://[::1',
    'https://::1]',
    'https://[[::1]]',
    'https://::1/',
    'https://[::1.2.3]',
    'https://[::256.1.1.1]',
    'https://[::1.2.3.04]',
    'https://[1.2.3.4]',
    'https://[::1.2.3.4:5]',
    'https://[1:2:3:4:5:6:7:1.2.3.4]',
    'https://[fe80::1%25eth0]',
    'https://[fe80::1%eth0]',
    'https://[::1 ]',
    'https://[::1\n]',
  ],
  'invalid IPvFuture': [
    'https://[v]',
    'https://[v1]',
    'https://[v1.]',
    'https://[v.a]',
    'https://[vg.a]',
    'https://[1.a]',
    'https://[v1.%41]',
    'https://[v1.a/b]',
    'https://[v1.a@b]',
    'https://[v1.[]',
  ],
}

describe.each(Object.entries(valid))('accepts %s', (_, texts) => {
  test.each(texts)('%j', (text) => expect(isUri(text)).toBe(true))
})

describe.each(Object.entries(invalid))('rejects %s', (_, texts) => {
  test.each(texts)('%j', (text) => expect(isUri(text)).toBe(false))
})

describe('a link', () => {
  test.each([
    'http://h',
    'https://h',
    'HTTPS://h/',
    'hTTp://h',
    'https://[::1]',
    'https://u:p@h:1/a?b#c',
    'mailto:a@b',
    'MAILTO:a@b?subject=x%20y',
    'tel:+31-20-1234567',
  ])('accepts %s', (text) => expect(isLink(text)).toBe(true))
  test.each([
    ['ftp://h', 'scheme'],
    ['sms:1', 'scheme'],
    ['javascript:alert(1)', 'script'],
    ['JavaScript:alert(1)', 'script'],
    ['javascript:alert("x")', 'script'],
    ['data:text/html,x', 'script'],
    ['vbscript:x', 'script'],
    ['httpss://h', 'scheme'],
    ['http://', 'host'],
    ['https:///a', 'host'],
    ['https:a', 'host'],
    ['https:/a/b', 'host'],
    ['https://:80/', 'host'],
    ['https://u@/', 'host'],
    ['https://@', 'host'],
    ['https://?a', 'host'],
    ['java\nscript:alert(1)', 'script'],
    [' \u0001javascript:alert(1)', 'script'],
    ['javascript :alert(1)', 'script'],
    [' https://h', 'syntax'],
    ['//h', 'syntax'],
  ])('rejects %j: %s', (text, problem) => expect(checkUri(text)).toBe(problem))

  test.each(['javascript:alert(1)', 'DATA:text/html,x', 'vbscript:x'])(
    'is never %s, even if the scheme is allowed',
    (text) => {
      expect(checkUri(text, ['javascript', 'data', 'vbscript'])).toBe('script')
      expect(checkUri(text, 'any')).toBe('script')
    },
  )

  test('may have any other scheme if allowed', () => {
    expect(checkUri('slack://channel?id=C1', 'any')).toBeUndefined()
    expect(checkUri('not a URI', 'any')).toBe('syntax')
    expect(checkUri('https:', 'any')).toBe('host')
  })

  test('replaces the default schemes with those of a list', () => {
    expect(checkUri('MAILTO:a@b', ['mailto'])).toBeUndefined()
    expect(checkUri('https://h', ['mailto'])).toBe('scheme')
    expect(checkUri('https:', ['https'])).toBe('host')
  })
})

/** Strings that are almost URIs: valid and invalid parts in any order. */
const nearUri = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'http',
        'https',
        'x',
        ':',
        '/',
        '//',
        '://',
        '?',
        '#',
        '@',
        '[',
        ']',
        '[::1]',
        '.',
      ),
      fc.constantFrom(
        '%',
        '%4',
        '%41',
        'a',
        'é',
        ' ',
        '\n',
        'v1.',
        '1',
        ':80',
        '127.0.0.1',
        '~',
        '!',
        '"',
      ),
      fc.string({ maxLength: 2 }),
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''))

test.each<[string, (text: string) => string]>([
  ['', (text) => text],
  ['https://h', (text) => `https://h${text}`],
  ['https://', (text) => `https://${text}`],
  ['x:', (text) => `x:${text}`],
  ['[…]', (text) => `x://[${text}]/`],
])('agrees with the RFC’s own grammar on anything after %j', (_, around) => {
  fc.assert(
    fc.property(nearUri, (part) => {
      const text = around(part)
      const groups = URI_OF_RFC_3986.exec(text)?.groups
      expect(isUri(text)).toBe(groups !== undefined)
      const scheme = groups?.['scheme']?.toLowerCase() ?? ''
      const isHttp = scheme === 'http' || scheme === 'https'
      const hasHost = groups?.['host'] !== '' && groups?.['host'] !== undefined
      expect(isIconUrl(text)).toBe(isHttp && hasHost)
      expect(isLink(text)).toBe(isHttp ? hasHost : scheme === 'mailto' || scheme === 'tel')
    }),
    { numRuns: 3000 },
  )
})

test('agrees with the RFC’s own grammar on IPv6 addresses', () => {
  const address = fc.oneof(
    fc.ipV6(),
    fc
      .array(fc.constantFrom('0', 'ab12', '', ':', '1.2.3.4'), { maxLength: 10 })
      .map((parts) => parts.join(':')),
  )
  fc.assert(
    fc.property(address, (text) => {
      const uri = `https://[${text}]/`
      expect(isUri(uri)).toBe(URI_OF_RFC_3986.test(uri))
    }),
    { numRuns: 3000 },
  )
})
