import { base64Spellings, encodings } from '../../runtime/internal/create-redactor.ts'
import { createViews } from '../../runtime/internal/decoded-views.ts'

/** Matches scripts without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u

/** The minimum length, because shorter texts occur in encoded data by chance. */
const MIN_ENCODED_LENGTH = 8

/** The characters before and after an occurrence that are split into words. */
const CONTEXT = 100

const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Folds a text for comparison: NFKC, letter case, whitespace and invisible characters. */
export function foldText(text: string): string {
  const once = foldOnce(text)
  // Case folding can create characters that NFKC changes, and the reverse.
  const twice = foldOnce(once)
  return twice === once ? once : foldOnce(twice)
}

function foldOnce(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * Returns whether a text is too short to identify a customer: under three letters
 * or digits, or under two in a script without spaces between words.
 */
export function isTooShort(text: string): boolean {
  const characters = Array.from(foldText(text)).filter((each) => WORD_CHARACTER.test(each))
  return characters.length < (characters.every((each) => SPACELESS.test(each)) ? 2 : 3)
}

/** Returns whether a text contains another one as whole words, after folding. */
export function containsText(text: string, wanted: string): boolean {
  return containsFolded(foldText(text), foldText(wanted))
}

/** Matches a list of bytes, such as `[78, 111, 114]`. */
const BYTES = /\b(?:\d{1,3}, ?){7,1000}\d{1,3}\b/g

/** Writes the escapes of quoted-printable, C and some languages as those of URLs and JSON. */
function undoEscapes(text: string): string {
  if (!/[=\\+,]/.test(text)) return text
  return text
    .replaceAll(BYTES, (list) => String.fromCharCode(...list.split(',').map(Number)))
    .replaceAll(/U\+([\dA-F]{4})\b ?/g, '\\u$1')
    .replaceAll(/=([\dA-F]{2})/g, '%$1')
    .replaceAll(/\\x([\da-f]{2})/gi, '%$1')
    .replaceAll(/\\u\{([\da-f]{1,4})\}/gi, (_escape, hex: string) => `\\u${hex.padStart(4, '0')}`)
    .replaceAll(/\\([0-3][0-7]{2})/g, (_escape, octal: string) => {
      return `%${Number.parseInt(octal, 8).toString(16).padStart(2, '0')}`
    })
}

/** Returns a text in the encodings of secrets, as UTF-16, as a host, as base64 of base64, base32, ROT13 and backwards. */
export function listEncodings(text: string): readonly string[] {
  const rotated = text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })
  const bytes = new TextEncoder().encode(text)
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const base32 = (bits.match(/.{5}/g) ?? []).map((five) => {
    return 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]
  })
  const binary = String.fromCharCode(...bytes)
  const base64 = btoa(binary)
  // Both byte orders contain these bytes: those of UTF-16 without the first one.
  const wide = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap(
    (unit) => [unit >> 8, unit & 0xff],
  )
  const utf16 = wide.slice(1)
  const host = URL.parse(`https://${text.trim().replaceAll(/\s+/g, '-')}`)?.hostname ?? ''
  const reversed = Array.from(text).toReversed().join('')
  return [
    ...encodings(text),
    // Bytes that were read as Latin-1. A text in ASCII is not encoded by that.
    ...(binary === text ? [] : [binary]),
    utf16.map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    ...base64Spellings(String.fromCharCode(...utf16)),
    ...(host.startsWith('xn--') ? [host] : []),
    btoa(base64).replace(/.{0,2}=*$/, ''),
    base32.join(''),
    // A text without Latin letters, or that reads the same backwards, is not encoded.
    ...[rotated, reversed].filter((each) => foldText(each) !== foldText(text)),
  ].map((each) => each.toLowerCase())
}

/** Matches bytes such as `6E:6F`. */
const HEX_PAIRS = /^(?:[\da-f]{2}[\s:-]){7,}[\da-f]{2}$/i

/**
 * Creates a function that returns whether a text contains the wanted one as whole
 * words, even if they are escaped for URLs, JSON or HTML. From eight characters,
 * it also finds base64, hexadecimal, parts of words in escaped text, and words
 * with other separators, such as `acme-limited` and `AcmeLimited`.
 */
export function createTextFinder(wanted: string): (text: string) => boolean {
  const folded = foldText(wanted)
  const isLong = Array.from(folded).length >= MIN_ENCODED_LENGTH
  const spellings = [wanted, wanted.normalize('NFC'), wanted.normalize('NFD')].flatMap((each) => [
    each,
    each.toLowerCase(),
    each.toUpperCase(),
  ])
  const encoded = isLong ? [...new Set(spellings)].flatMap(listEncodings) : []
  const separated = isLong ? separateWords(folded) : undefined
  return (text) => {
    const joined = HEX_PAIRS.test(text) ? text.replaceAll(/[\s:-]/g, '') : undoEscapes(text)
    const [plain, ...decoded] = createViews(joined).map((view) => view.text)
    const shownPlain = foldText(plain ?? '')
    if (containsFolded(shownPlain, folded)) return true
    if (isLong && isSpacedOrCut(shownPlain, folded)) return true
    const found = (view: string) => {
      const shown = foldText(view.replaceAll('+', ' '))
      return isLong ? shown.includes(folded) : containsFolded(shown, folded)
    }
    return (
      decoded.some(found) ||
      (separated !== undefined &&
        [plain ?? '', ...decoded].some((view) =>
          separated.test(foldText(view.replaceAll(/<[^<>]{1,200}>/g, ''))),
        )) ||
      encoded.some((spelling) => [plain ?? '', ...decoded].some((view) => view.includes(spelling)))
    )
  }
}

/** Returns whether a text shows the wanted one with blanks between its letters, or its start before an ellipsis. */
function isSpacedOrCut(text: string, folded: string): boolean {
  if (/(?:^|\s)(?:\p{L}[ .·_-]){5}\p{L}(?!\p{L})/u.test(text)) {
    const letters = (each: string) => each.replaceAll(/[^\p{L}\p{N}]/gu, '')
    if (letters(text).includes(letters(folded))) return true
  }
  const [, cut] = /^(.{8,}?)\s?(?:…|\.\.\.)$/.exec(text) ?? []
  return cut !== undefined && folded.startsWith(cut)
}

/**
 * Matches the words of a text with any other characters between them. Returns
 * `undefined` for a single word.
 */
function separateWords(folded: string): RegExp | undefined {
  const list = folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  if (list.length < 2) return undefined
  const [character, others] = ['[\\p{L}\\p{N}\\p{M}]', '[^\\p{L}\\p{N}\\p{M}]{0,10}']
  return new RegExp(`(?<!${character})${list.join(others)}(?!${character})`, 'u')
}

function containsFolded(text: string, wanted: string): boolean {
  if (wanted === '') return false
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (isWhole(text, at, at + wanted.length)) return true
  }
  return false
}

/** Returns whether neither end is inside a word. Apostrophes and underscores also end a word. */
function isWhole(text: string, start: number, end: number): boolean {
  const from = Math.max(0, start - CONTEXT)
  const context = text.slice(from, end + CONTEXT)
  let boundaries: ReadonlySet<number> | undefined
  return [start, end].every((at) => {
    const before = lastCharacter(text.slice(Math.max(0, at - 2), at))
    const after = String.fromCodePoint(text.codePointAt(at) ?? 0x20)
    const inside = at === start ? after : before
    const outside = at === start ? before : after
    if (SPACELESS.test(inside) || !WORD_CHARACTER.test(outside)) return true
    if (!WORD_CHARACTER.test(inside)) return true
    boundaries ??= new Set(Array.from(words.segment(context), ({ index }) => index + from))
    return boundaries.has(at)
  })
}

function lastCharacter(text: string): string {
  return Array.from(text).at(-1) ?? ' '
}
