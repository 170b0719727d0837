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
  known: '',
  email: EMAIL,
  uuid: String.raw`(?<!\w)[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}(?!\w)`,
  prefixed: String.raw`(?<!\w)(?:[A-Za-z]{2,16}_(?=\w{0,40}\d)\w{3,}|[A-Z]{2,8}-(?=[\w-]{0,40}\d{3})[\w-]{3,})`,
  opaque: String.raw`(?<!\w)(?=\w{0,40}\d)(?=\w{0,40}[A-Za-z])\w{16,}`,
  phone: String.raw`\+\d[\d ().-]{6,20}\d`,
  digits: String.raw`(?<![\w.,:])\d{6,}(?!\w)`,
  uncased: '',
  word: String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{M}]{2,}`,
}

/**
 * Creates a function that replaces known values and values that look personal, in
 * one pass, so that placeholders are not replaced again.
 */
export function createReplacer(known: Known): (text: string) => string {
  const { exactMatches, substringMatches, names, keepList, placeholders } = known
  const pattern = buildPattern({
    ...PATTERNS,
    known: alternatives(substringMatches.keys()),
    // Scripts without capital letters do not separate words with spaces.
    uncased: alternatives([...names].filter((name) => !/[\p{Lu}\p{Ll}]/u.test(name))),
  })
  const id = (value: string) => {
    const [, prefix = 'id_', word = ''] = /^(([A-Za-z]{2,16})[_-])/.exec(value) ?? []
    return placeholders.id(value, names.has(word.toLowerCase()) ? 'id_' : prefix)
  }

  const replaceText = (text: string): string =>
    exactMatches.get(text)?.() ??
    text.replace(pattern, (match: string, ...rest: unknown[]) => {
      if (keepList.has(match.toLowerCase())) return match
      const found = rest.at(-1) as Partial<Record<keyof typeof PATTERNS, string>>
      if (found.date !== undefined) return match
      if (found.url !== undefined) return replaceInUrl(match)
      if (found.known !== undefined) return substringMatches.get(match)?.() ?? match
      if (found.email !== undefined) return placeholders.email(match)
      if (found.phone !== undefined) return placeholders.phone(match)
      if (found.uncased !== undefined) return placeholders.name(match)
      if (found.word === undefined) return id(match)
      return names.has(match.toLowerCase()) ? placeholders.name(match) : match
    })

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

function buildPattern(patterns: typeof PATTERNS): RegExp {
  const parts = Object.entries(patterns).filter(([, pattern]) => pattern !== '')
  return new RegExp(parts.map(([name, part]) => `(?<${name}>${part})`).join('|'), 'gu')
}

/**
 * The longest alternative comes first, because the first match wins. In scripts
 * with capital letters, a match never starts or ends inside a word.
 */
function alternatives(texts: Iterable<string>): string {
  return [...texts]
    .sort((left, right) => right.length - left.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .map((text) => String.raw`(?<![\p{Lu}\p{Ll}\p{N}])${text}(?![\p{Lu}\p{Ll}\p{N}])`)
    .join('|')
}

function decodePiece(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
