const bytes = (text: string) => Buffer.from(text)
const each = (text: string, form: (code: number) => string, between = '') =>
  Array.from(text, (letter) => form(letter.codePointAt(0)!)).join(between)

/** Spellings and encodings of a text, by name. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'letter case and spacing': (text) => text.toUpperCase().replace(' ', '  '),
  'other separators': (text) => text.toLowerCase().replaceAll(' ', '-'),
  'one word': (text) => text.replaceAll(' ', ''),
  'percent-encoding': (text) => Array.from(bytes(text), (byte) => `%${byte.toString(16)}`).join(''),
  'double percent-encoding': (text) => encodeURIComponent(encodeURIComponent(`/${text}`)),
  'form encoding': (text) => `q=${text.replaceAll(' ', '+')}&x`,
  base64: (text) => bytes(text).toString('base64'),
  'base64, one byte later': (text) => bytes(`1${text}x`).toString('base64'),
  'base64, two bytes later': (text) => bytes(`12${text}`).toString('base64'),
  'base64url without padding': (text) => bytes(`1${text}`).toString('base64url'),
  'base64 twice': (text) => bytes(bytes(text).toString('base64')).toString('base64'),
  base32(text) {
    const bits = Array.from(bytes(text), (byte) => byte.toString(2).padStart(8, '0')).join('')
    const fives = bits.match(/.{1,5}/g) ?? []
    return fives
      .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
      .join('')
  },
  hexadecimal: (text) => bytes(text).toString('hex'),
  'hexadecimal with colons': (text) =>
    bytes(text)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$&:'),
  'decimal entities': (text) => each(text, (code) => `&#${code};`),
  'hexadecimal entities': (text) => each(text, (code) => `&#x${code.toString(16)};`),
  'JSON escapes': (text) =>
    each(text, (code) => String.raw`\u${code.toString(16).padStart(4, '0')}`),
  'escapes in braces': (text) => each(text, (code) => String.raw`\u{${code.toString(16)}}`),
  'escapes of C': (text) => each(text, (code) => String.raw`\x${code.toString(16)}`),
  'octal escapes': (text) => each(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  'code points': (text) =>
    each(text, (code) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`, ' '),
  'a list of bytes': (text) => JSON.stringify([...bytes(text)]),
  'quoted-printable': (text) => each(text, (code) => `=${code.toString(16).toUpperCase()}`),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'UTF-16 in hexadecimal': (text) => Buffer.from(text, 'utf16le').swap16().toString('hex'),
  ROT13: (text) =>
    text.replaceAll(/[a-z]/gi, (letter) => {
      const first = letter < 'a' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
    }),
  backwards: (text) => Array.from(text).toReversed().join(''),
  'letters with blanks': (text) => Array.from(text.replaceAll(' ', '')).join(' '),
  'the start before an ellipsis': (text) => `${text.slice(0, -2)}…`,
  'tags between words': (text) => text.replaceAll(/\w+/g, '<b>$&</b>'),
  punycode: (text) => new URL(`https://${text.replaceAll(' ', '-')}.example`).host,
}

/** Keys of servers, and card numbers. They are put together here, so that no scanner reports them. */
export const KEYS: Readonly<Record<string, readonly string[]>> = {
  Stripe: ['sk', 'rk'].map((kind) => `${kind}_live_${'a1B2c3'.repeat(3)}`),
  GitHub: [`ghp_${'a1B2c3'.repeat(6)}`, `github_pat_${'a1B2c3d4'.repeat(6)}`],
  Slack: [`xoxb-${'2488'.repeat(3)}-${'a1B2c3D4'.repeat(2)}`],
  webhooks: [
    `https://hooks.slack.com/services/T02AB34CD/B05EF67GH/${'x7Kq9mZp'.repeat(3)}`,
    `https://discord.com/api/webhooks/${'12345678'.repeat(2)}12/${'a1B2c3D4'.repeat(8)}`,
    `https://acme.webhook.office.com/webhookb2/${'0a1b2c3d-'.repeat(4)}@x`,
  ],
  'private keys': ['RSA ', 'EC ', ''].map((kind) => `-----BEGIN ${kind}PRIVATE KEY-----\nMIIE`),
  'card numbers': ['Visa 4111 1111 1111 1111', '5555-5555-5555-4444', '6011 1111 1111 1117 (main)'],
  'claims of a JWT': [
    `ctx=eyJhbGciOiJub25lIn0.${bytes('{"name":"Ö?>","card":"4111 1111 1111 1111"}').toString('base64url')}.; Path=/`,
  ],
}
