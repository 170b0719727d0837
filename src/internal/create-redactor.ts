/** A function that replaces secret values in text. */
export type Redact = (text: string) => string

const HIDDEN = '[hidden]'

/** At most six characters in a row of a secret remain visible. */
const GRAM_LENGTH = 7

/**
 * Creates a function that replaces the given header values in linear time:
 * unchanged, truncated, and as base64, hexadecimal, percent-encoded, HTML-escaped
 * or JSON text, in any case. Of a secret with seven characters or more, at most
 * six consecutive ones remain. A shorter secret is replaced as a whole. A secret
 * with fewer than six characters is only replaced as a word, because it occurs in
 * too many others.
 *
 * The scheme of an `Authorization` value and the names of cookies stay visible.
 */
export function createRedactor(values: Iterable<string>): Redact {
  const grams = new Set<string>()
  const short = new Set<string>()
  for (const secret of new Set([...values].flatMap(toSecrets))) {
    for (const spelling of spellings(secret)) {
      if (spelling.length < GRAM_LENGTH) short.add(spelling)
      for (let start = 0; start + GRAM_LENGTH <= spelling.length; start += 1) {
        grams.add(spelling.slice(start, start + GRAM_LENGTH))
      }
    }
  }
  const hideGrams = createGramRedactor(grams)
  const shortPattern = toPattern(short)
  return (text) => {
    const shown = hideGrams(text)
    return shortPattern === undefined ? shown : shown.replace(shortPattern, HIDDEN)
  }
}

/** Returns the secret parts of one header value. */
function toSecrets(value: string): readonly string[] {
  const trimmed = value.trim()
  const [, scheme, credentials] = /^([A-Za-z][\w-]*)\s+(\S+)$/.exec(trimmed) ?? []
  if (scheme !== undefined && credentials !== undefined) {
    return scheme.toLowerCase() === 'basic'
      ? [credentials, ...decodeBasic(credentials)]
      : [credentials]
  }
  const pairs = trimmed.split(/;\s*/).map((pair) => /^[\w.-]+=([^=].{3,})$/.exec(pair)?.[1])
  const cookies = pairs.filter((cookie) => cookie !== undefined)
  if (cookies.length > 0 && cookies.length === pairs.length) return cookies
  return trimmed === '' ? [] : [trimmed]
}

/** Returns the password of Basic credentials, alone and with the user name. */
function decodeBasic(credentials: string): readonly string[] {
  try {
    const decoded = decodeLatin1OrUtf8(atob(credentials))
    const password = decoded.slice(decoded.indexOf(':') + 1)
    return [decoded, password].filter((secret) => secret !== '')
  } catch {
    return []
  }
}

function decodeLatin1OrUtf8(binary: string): string {
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return binary
  }
}

/** Returns a secret in its forms in several text formats. */
function spellings(secret: string): ReadonlySet<string> {
  const bytes = new TextEncoder().encode(secret)
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'))
  const percent = encodeURIComponent(secret.toWellFormed())
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(secret).slice(1, -1)
  const all = [
    secret,
    hex.join(''),
    hex.map((pair) => `%${pair}`).join(''),
    percent,
    form,
    json,
    json.replaceAll('/', '\\/'),
    json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...HTML_ESCAPES.map((escapes) => secret.replaceAll(/[&<>"'`]/g, (c) => escapes[c] ?? c)),
    ...base64Spellings(bytes),
  ]
  return new Set(all.map(foldCase).filter((text) => text !== ''))
}

/** Converts to lowercase without changing the length, so that indexes stay valid. */
function foldCase(text: string): string {
  const folded = text.toLowerCase()
  return folded.length === text.length
    ? folded
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const NAMED = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The escapes of common HTML libraries, which differ in the quotation marks. */
const HTML_ESCAPES: ReadonlyArray<Readonly<Record<string, string>>> = [
  { ...NAMED, "'": '&#39;', '`': '&#96;' },
  { ...NAMED, "'": '&#x27;', '`': '&#x60;' },
  { ...NAMED, "'": '&#039;', '"': '&#34;' },
  { ...NAMED, "'": '&apos;', '"': '&#x22;' },
]

/** Returns the base64 of the bytes at each of the three offsets in longer data. */
function base64Spellings(bytes: Uint8Array): readonly string[] {
  const whole = btoa(String.fromCharCode(...bytes))
  const shifted = [1, 2].map((offset) => {
    const encoded = btoa('\0'.repeat(offset) + String.fromCharCode(...bytes))
    // The first characters also contain bits of the preceding bytes.
    return encoded.slice(offset + 1).replace(/.?=+$/, '')
  })
  const standard = [whole, whole.replace(/.?=+$/, ''), ...shifted]
  const urlSafe = standard.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  // Shorter pieces would match ordinary words.
  return [...standard, ...urlSafe].filter((text) => text.length >= GRAM_LENGTH)
}

function createGramRedactor(grams: ReadonlySet<string>): Redact {
  if (grams.size === 0) return (text) => text
  // Most positions fail this test, which does not create a substring.
  const filter = new Uint8Array(1 << 16)
  for (const gram of grams) filter[filterIndex(gram, 0)] = 1
  return (text) => {
    const folded = foldCase(text)
    let shown = ''
    let visibleFrom = 0
    const last = text.length - GRAM_LENGTH
    for (let start = 0; start <= last; start += 1) {
      if (filter[filterIndex(folded, start)] === 0) continue
      if (!grams.has(folded.slice(start, start + GRAM_LENGTH))) continue
      if (start >= visibleFrom) {
        const continues = start === visibleFrom && visibleFrom > 0
        shown += continues ? '' : text.slice(visibleFrom, start) + HIDDEN
      }
      visibleFrom = start + GRAM_LENGTH
    }
    return shown + text.slice(visibleFrom)
  }
}

function filterIndex(text: string, start: number): number {
  const mix =
    text.charCodeAt(start) * 961 + text.charCodeAt(start + 3) * 31 + text.charCodeAt(start + 6)
  return mix & 0xffff
}

/** Creates a pattern for short secrets, the longest first. */
function toPattern(secrets: ReadonlySet<string>): RegExp | undefined {
  if (secrets.size === 0) return undefined
  const alternatives = [...secrets]
    .sort((left, right) => right.length - left.length)
    .map((secret) => {
      const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      return secret.length < GRAM_LENGTH - 1
        ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`
        : literal
    })
  return new RegExp(alternatives.join('|'), 'giu')
}
