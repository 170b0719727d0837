/** A handshake code with characters that endpoints often change. */
export interface CodeVariant {
  /** A description of the special characters, such as `a plus sign`. */
  readonly contains: string
  /**
   * `query` reveals mistakes in decoding a query; `quoting` reveals mistakes in
   * hand-built JSON.
   */
  readonly kind: 'query' | 'quoting'
  /** The code, with the placeholder `CODE` for its unique part. */
  readonly text: string
}

/**
 * Regular codes in different forms. They reveal an endpoint that changes letter
 * case or parses numbers.
 */
const REGULAR: ReadonlyArray<(random: string) => string> = [
  (random) => random,
  // This code is as long as a hexadecimal digest, with letters in both cases.
  (random) => `Hs${random.toUpperCase()}x${random.repeat(6)}`.slice(0, 64),
  // Digits only, with a leading zero, and more than a double can represent exactly.
  (random) => `0${Array.from(random, (letter) => letter.charCodeAt(0) % 10).join('')}`,
  (random) => `${random}-${random.slice(0, 6)}.${random.slice(2, 9)}_~A`,
]

/** Returns the regular code with this index; `random` makes it unique. */
export function regularCode(index: number, random: string): string {
  return (REGULAR[index % REGULAR.length] ?? ((text: string) => text))(random)
}

/** Codes with characters that have a meaning in a query, and non-ASCII letters. */
export const CHARACTER_CODES: readonly CodeVariant[] = Object.entries({
  'a plus sign': 'CODE+plus+x',
  'a percent sign': 'CODE%zz-100%',
  // Decoding this code twice results in another code, without an error.
  'a percent escape': 'CODE%41%2Bz',
  'an ampersand and an equals sign': 'CODE&a=b&code=x',
  'a space and a number sign': 'CODE a#b',
  'surrounding spaces': ' CODE ',
  'non-ASCII letters': 'CODE-é-ж-漢-🙂',
}).map(([contains, text]) => ({ contains, kind: 'query', text }))

/** A code that breaks hand-built JSON. */
export const QUOTING_CODE: CodeVariant = {
  contains: 'a quotation mark and a backslash',
  kind: 'quoting',
  text: String.raw`CODE"q\n'<b>`,
}
