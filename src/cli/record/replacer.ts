import { EMAIL } from './personal-names.ts'
import type { Pseudonyms } from './pseudonyms.ts'

/** What a replacer knows of the values that it meets. */
export interface Known {
  /** Values replaced where they are all of a text, or a whole segment of an address. */
  readonly whole: ReadonlyMap<string, () => string>
  /** Values replaced inside other text, too. */
  readonly inText: ReadonlyMap<string, () => string>
  /** Words of names, in lower case. */
  readonly names: ReadonlySet<string>
  /** What is not replaced, in lower case. */
  readonly kept: ReadonlySet<string>
  readonly pseudonyms: Pseudonyms
}

/** All repetitions that are looked ahead over are bounded: a long run of one costs little. */
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
 * Makes a function that replaces what is known and what looks personal. It
 * passes over a text once, so that nothing that was put in is replaced again.
 */
export function createReplacer(known: Known): (text: string) => string {
  const { whole, inText, names, kept, pseudonyms } = known
  const pattern = patternOf({
    ...PATTERNS,
    known: alternatives(inText.keys()),
    // Scripts without capitals put no spaces between words either.
    uncased: alternatives([...names].filter((name) => !/[\p{Lu}\p{Ll}]/u.test(name))),
  })
  const id = (value: string) => {
    const [, prefix = 'id_', word = ''] = /^(([A-Za-z]{2,16})[_-])/.exec(value) ?? []
    return pseudonyms.id(value, names.has(word.toLowerCase()) ? 'id_' : prefix)
  }

  const replaceText = (text: string): string =>
    whole.get(text)?.() ??
    text.replace(pattern, (match: string, ...rest: unknown[]) => {
      if (kept.has(match.toLowerCase())) return match
      const found = rest.at(-1) as Partial<Record<keyof typeof PATTERNS, string>>
      if (found.date !== undefined) return match
      if (found.url !== undefined) return replaceInUrl(match)
      if (found.known !== undefined) return inText.get(match)?.() ?? match
      if (found.email !== undefined) return pseudonyms.email(match)
      if (found.phone !== undefined) return pseudonyms.phone(match)
      if (found.uncased !== undefined) return pseudonyms.name(match)
      if (found.word === undefined) return id(match)
      return names.has(match.toLowerCase()) ? pseudonyms.name(match) : match
    })

  const replaceInUrl = (url: string): string => {
    const parts = /^(\w+:\/\/)([^/?#]*)([^]*)$/.exec(url)
    const [, scheme = '', authority = '', rest = ''] = parts ?? []
    const host = replaceText(authority.replace(/^.*@/, ''))
    const path = rest.replaceAll(/[^/?&=#;]+/g, (piece) => {
      const text = decoded(piece)
      const replaced = replaceSegment(text)
      return replaced === text ? piece : encodeURIComponent(replaced)
    })
    return scheme + host + path
  }

  /** Between the slashes of an address, what has a digit in it is an id. */
  const replaceSegment = (segment: string): string => {
    const [, stem = '', extension = ''] = /^([^.]*)(\.\w{2,5})?$/.exec(segment) ?? []
    const isId = /^(?:\d+|(?=.*\d)[\w-]{4,})$/.test(stem)
    if (!isId || kept.has(stem.toLowerCase())) return replaceText(segment)
    return (whole.get(stem)?.() ?? id(stem)) + extension
  }

  return replaceText
}

function patternOf(patterns: typeof PATTERNS): RegExp {
  const parts = Object.entries(patterns).filter(([, pattern]) => pattern !== '')
  return new RegExp(parts.map(([name, part]) => `(?<${name}>${part})`).join('|'), 'gu')
}

/** Longest first, as the first that fits is taken; never in the middle of a word with capitals. */
function alternatives(texts: Iterable<string>): string {
  return [...texts]
    .sort((left, right) => right.length - left.length)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .map((text) => String.raw`(?<![\p{Lu}\p{Ll}\p{N}])${text}(?![\p{Lu}\p{Ll}\p{N}])`)
    .join('|')
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
