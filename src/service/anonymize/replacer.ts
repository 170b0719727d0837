import { findCandidates, findLiteral, findPattern } from './candidates.ts'
import { EMAIL } from './personal-names.ts'
import type { Placeholders } from './placeholders.ts'

/** The values that a replacer knows. */
export interface Known {
  /** Replaced if they are the whole text, or a whole segment of a URL. */
  readonly exactMatches: ReadonlyMap<string, () => string>
  /** Also replaced inside other text. */
  readonly substringMatches: ReadonlyMap<string, () => string>
  /** Words of names, in lowercase. */
  readonly names: ReadonlySet<string>
  /** Texts that are not replaced, in lowercase. */
  readonly keepList: ReadonlySet<string>
  readonly placeholders: Placeholders
}

/** Repetitions in lookaheads are bounded, so that long runs cost little. */
const PATTERNS = {
  date: String.raw`\b\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?(?!\w)`,
  url: String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s"'<>\\]+`,
  email: EMAIL,
  uuid: String.raw`(?<!\w)[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}(?!\w)`,
  prefixed: String.raw`(?<!\w)(?:[A-Za-z]{2,16}_(?=\w{0,40}\d)\w{3,}|[A-Z]{2,8}-(?=[\w-]{0,40}\d{3})[\w-]{3,})`,
  opaque: String.raw`(?<!\w)(?=\w{0,40}\d)(?=\w{0,40}[A-Za-z])\w{16,}`,
  phone: String.raw`\+\d[\d ().-]{6,20}\d`,
  digits: String.raw`(?<![\w.,:])\d{6,}(?!\w)`,
  word: String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{M}]{2,}`,
}

/** Compiled once, because that takes longer than most texts. */
const PATTERN = new RegExp(
  Object.entries(PATTERNS)
    .map(([name, part]) => `(?<${name}>${part})`)
    .join('|'),
  'gu',
)

/** In scripts with capital letters, a known value never starts or ends inside a word. */
const CASED = /[\p{Lu}\p{Ll}\p{N}]/u

/** A literal text that is replaced. */
interface Literal {
  readonly text: string
  readonly replace: () => string
  /** Whether it precedes a value of a pattern at the same place. */
  readonly isFirst: boolean
}

/**
 * Creates a function that replaces known values and values that look personal, in
 * one pass, so that placeholders are not replaced again.
 */
export function createReplacer(known: Known): (text: string) => string {
  const { exactMatches, substringMatches, names, keepList, placeholders } = known
  // Scripts without capital letters do not separate words with spaces.
  const uncased = [...names].filter((name) => !/[\p{Lu}\p{Ll}]/u.test(name))
  const literals: readonly Literal[] = [
    ...[...substringMatches].map(([text, replace]) => ({ text, replace, isFirst: true })),
    ...uncased.map((text) => ({ text, replace: () => placeholders.name(text), isFirst: false })),
  ].sort((left, right) => right.text.length - left.text.length)
  const cased = [...names].filter((name) => !uncased.includes(name))
  // A name consists of letters and marks only.
  const anyName = cased.length === 0 ? undefined : new RegExp(cased.join('|'), 'g')

  const id = (value: string) => {
    const [, prefix = 'id_', word = ''] = /^(([A-Za-z]{2,16})[_-])/.exec(value) ?? []
    return placeholders.id(value, names.has(word.toLowerCase()) ? 'id_' : prefix)
  }

  const replaceText = (text: string): string => {
    const exact = exactMatches.get(text)
    if (exact !== undefined) return exact()
    const folded = text.toLowerCase()
    const searches = [
      ...literals.map((literal) => findLiteral(text, literal.text)),
      ...(anyName === undefined ? [] : [findPattern(folded, anyName)]),
    ]
    // A few letters change their length with their case, so that places differ.
    const candidates =
      folded.length === text.length ? findCandidates(text, searches) : ([[0, text.length]] as const)
    let replaced = ''
    let end = 0
    for (const [start, next] of candidates) {
      replaced += text.slice(end, start) + replaceCandidate(text.slice(start, next))
      end = next
    }
    return replaced + text.slice(end)
  }

  const replaceCandidate = (text: string): string => {
    const hits = findHits(text, literals)
    let hit = hits.next().value
    let match = matchFrom(text, 0)
    let replaced = ''
    let end = 0
    for (;;) {
      while (hit !== undefined && hit.start < end) hit = hits.next().value
      if (match !== undefined && match.index < end) match = matchFrom(text, end)
      if (hit !== undefined && (match === undefined || precedes(hit, match))) {
        const { start, literal } = hit
        const isKept = keepList.has(literal.text.toLowerCase())
        replaced += text.slice(end, start) + (isKept ? literal.text : literal.replace())
        end = start + literal.text.length
      } else if (match === undefined) return replaced + text.slice(end)
      else {
        const [value] = match
        replaced += text.slice(end, match.index) + replaceMatch(value, match.groups as Found)
        end = match.index + value.length
      }
    }
  }

  const replaceMatch = (match: string, found: Found): string => {
    if (found.date !== undefined || keepList.has(match.toLowerCase())) return match
    if (found.url !== undefined) return replaceInUrl(match)
    if (found.email !== undefined) return placeholders.email(match)
    if (found.phone !== undefined) return placeholders.phone(match)
    if (found.word === undefined) return id(match)
    return names.has(match.toLowerCase()) ? placeholders.name(match) : match
  }

  const replaceInUrl = (url: string): string => {
    const parts = /^(\w+:\/\/)([^/?#]*)([^]*)$/.exec(url)
    const [, scheme = '', authority = '', rest = ''] = parts ?? []
    const host = replaceText(authority.replace(/^.*@/, ''))
    const path = rest.replaceAll(/[^/?&=#;]+/g, (piece) => {
      const text = decodePiece(piece)
      const replaced = replaceSegment(text)
      return replaced === text ? piece : encodeURIComponent(replaced)
    })
    return scheme + host + path
  }

  /** A path segment that contains a digit is treated as an ID. */
  const replaceSegment = (segment: string): string => {
    const [, stem = '', extension = ''] = /^([^.]*)(\.\w{2,5})?$/.exec(segment) ?? []
    const isId = /^(?:\d+|(?=.*\d)[\w-]{4,})$/.test(stem)
    if (!isId || keepList.has(stem.toLowerCase())) return replaceText(segment)
    return (exactMatches.get(stem)?.() ?? id(stem)) + extension
  }

  return replaceText
}

type Found = Partial<Record<keyof typeof PATTERNS, string>>

function matchFrom(text: string, index: number): RegExpExecArray | undefined {
  PATTERN.lastIndex = index
  return PATTERN.exec(text) ?? undefined
}

/** A literal text at a place. */
interface Hit {
  readonly start: number
  readonly literal: Literal
}

/** Returns the literal texts in a text by their place, the longest first. */
function findHits(text: string, literals: readonly Literal[]): Iterator<Hit, undefined> {
  const hits = literals.flatMap((literal) => {
    const found: Hit[] = []
    const { length } = literal.text
    for (let start = text.indexOf(literal.text); start >= 0;) {
      const isPart = CASED.test(text[start - 1] ?? '') || CASED.test(text[start + length] ?? '')
      if (!isPart) found.push({ start, literal })
      start = text.indexOf(literal.text, start + 1)
    }
    return found
  })
  // The sort is stable, and the literals are sorted by length.
  return hits.sort((left, right) => left.start - right.start).values() as Iterator<Hit, undefined>
}

/** The first value wins. At the same place, an ID precedes a pattern, except in a URL. */
function precedes({ start, literal }: Hit, { index, groups }: RegExpExecArray): boolean {
  if (start !== index) return start < index
  const { date, url, word } = groups as Found
  return literal.isFirst ? date === undefined && url === undefined : word !== undefined
}

function decodePiece(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
