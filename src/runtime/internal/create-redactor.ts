import { toBinary } from './base64-json.ts'
import { createViews, foldCase, placeOf, type View } from './decoded-views.ts'

/** A function that replaces secret values in text. */
export type Redact = (text: string) => string

const HIDDEN = '[hidden]'

/**
 * The length of the pieces that are replaced: at most six consecutive characters
 * of a secret remain visible.
 */
const GRAM_LENGTH = 7

/**
 * The minimum length of secrets that are also replaced inside words. Shorter ones
 * occur in too many words.
 */
const MIN_LENGTH_INSIDE_WORDS = 6

/** The minimum length of IDs, because shorter ones also occur in paths and numbers. */
const MIN_ID_LENGTH = 4

/**
 * Creates a function that replaces secrets in linear time: unchanged, in any case,
 * truncated, percent-encoded, HTML-escaped or as JSON text (even several times and
 * mixed), and as base64 or hexadecimal. At most six consecutive characters of a
 * longer secret remain. A shorter secret is replaced as a whole, and one with
 * fewer than six characters only as a word, because it occurs in too many other
 * words.
 *
 * @param ids values that are replaced as a whole, if no letter or digit is next to
 * them
 */
export function createRedactor(secrets: Iterable<string>, ids: Iterable<string> = []): Redact {
  const grams = new Set<string>()
  /** Texts that are replaced as a whole, and whether they are also replaced inside words. */
  const wholes = new Map<string, boolean>()
  for (const id of ids) if (id.length >= MIN_ID_LENGTH) wholes.set(foldCase(id), false)
  for (const spelling of new Set([...new Set(secrets)].flatMap(spellings))) {
    if (spelling.length < GRAM_LENGTH) {
      wholes.set(spelling, spelling.length >= MIN_LENGTH_INSIDE_WORDS)
    }
    for (let start = 0; start + GRAM_LENGTH <= spelling.length; start += 1) {
      grams.add(spelling.slice(start, start + GRAM_LENGTH))
    }
  }
  if (grams.size === 0 && wholes.size === 0) return (text) => text
  // This filter rejects most positions without creating a substring.
  const filter = new Uint8Array(1 << 16)
  for (const gram of grams) filter[filterIndex(gram, 0)] = 1

  return (text) => {
    let hidden: Uint8Array | undefined
    const hide = (view: View, start: number, end: number) => {
      hidden ??= new Uint8Array(text.length)
      hidden.fill(1, placeOf(view, start), placeOf(view, end))
    }
    for (const view of createViews(text)) {
      const last = view.text.length - GRAM_LENGTH
      for (let start = 0; start <= last; start += 1) {
        if (filter[filterIndex(view.text, start)] === 0) continue
        const end = start + GRAM_LENGTH
        if (grams.has(view.text.slice(start, end))) hide(view, start, end)
      }
      for (const [whole, isInsideWords] of wholes) hideWhole(view, whole, isInsideWords, hide)
    }
    return hidden === undefined ? text : replaceHidden(text, hidden)
  }
}

function filterIndex(text: string, start: number): number {
  const mix =
    text.charCodeAt(start) * 961 + text.charCodeAt(start + 3) * 31 + text.charCodeAt(start + 6)
  return mix & 0xffff
}

function hideWhole(
  view: View,
  whole: string,
  isInsideWords: boolean,
  hide: (view: View, start: number, end: number) => void,
): void {
  const { text } = view
  for (let at = text.indexOf(whole); at >= 0; at = text.indexOf(whole, at + 1)) {
    const end = at + whole.length
    const isPart = isAlphanumeric(text[at - 1]) || isAlphanumeric(text[end])
    if (isInsideWords || !isPart) hide(view, at, end)
  }
}

function isAlphanumeric(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

/** Replaces each run of hidden characters. */
function replaceHidden(text: string, hidden: Uint8Array): string {
  let shown = ''
  let end = 0
  for (let start = hidden.indexOf(1); start >= 0; start = hidden.indexOf(1, end)) {
    shown += text.slice(end, start) + HIDDEN
    const next = hidden.indexOf(0, start)
    end = next < 0 ? text.length : next
  }
  return shown + text.slice(end)
}

/**
 * Creates a function that returns whether a text contains one of the values as a
 * whole, in the forms that the redactor replaces.
 */
export function createFinder(values: Iterable<string>): (text: string) => boolean {
  const wanted = [...new Set(values)].flatMap(spellings)
  if (wanted.length === 0) return () => false
  return (text) =>
    createViews(text).some((view) => wanted.some((spelling) => view.text.includes(spelling)))
}

/** Returns a secret in the forms that are not escapes of single characters. */
function spellings(secret: string): readonly string[] {
  return [foldCase(secret), ...encodings(secret)].filter((text) => text !== '')
}

/** Returns a text as hexadecimal, percent-encoded and as base64, in lowercase. */
export function encodings(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  // A URL has one escape for each byte of a character, and a form has a plus sign for a space.
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const percent = encodeURIComponent(secret.toWellFormed())
  const inUrl = /^[!-~]*$/.test(secret) ? [] : [percent, form]
  return [hex, ...inUrl, ...base64Spellings(toBinary(secret))].map(foldCase)
}

/** Returns the base64 of the bytes at each of the three offsets in longer data. */
export function base64Spellings(binary: string): readonly string[] {
  const spelled = [0, 1, 2].flatMap((offset) => {
    const encoded = btoa('\0'.repeat(offset) + binary)
    // The first and last characters also encode bits of neighboring bytes, so they are removed.
    const own = encoded.slice(offset && offset + 1).replace(/.?=+$/, '')
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
  // Shorter pieces would match ordinary words.
  return spelled.filter((text) => text.length >= GRAM_LENGTH)
}
