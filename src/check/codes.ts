/** A kind of handshake code. */
export interface CodeKind {
  /** What it holds, for a sentence. */
  readonly holds: string
  /** `query`: what decoding a query can get wrong. `quoting`: what writing JSON by hand can. */
  readonly kind: 'query' | 'quoting'
  readonly make: (random: string) => string
}

/**
 * Ordinary codes, no two alike in form: an endpoint that changes letters or
 * reads a number gives itself away.
 */
const PLAIN: ReadonlyArray<(random: string) => string> = [
  (random) => random,
  // As long as a digest in hexadecimal, in both cases.
  (random) => `Hs${random.toUpperCase()}x${random.repeat(6)}`.slice(0, 64),
  // Digits only, with a leading zero, and more than a double holds exactly.
  (random) => `0${Array.from(random, (letter) => letter.charCodeAt(0) % 10).join('')}`,
  (random) => `${random}-${random.slice(0, 6)}.${random.slice(2, 9)}_~A`,
]

/** The n-th ordinary code; `random` makes it unlike every other. */
export function plainCode(index: number, random: string): string {
  return (PLAIN[index % PLAIN.length] ?? ((text: string) => text))(random)
}

/** Codes with characters that mean something in a query, and letters outside ASCII. */
export const CHARACTER_CODES: readonly CodeKind[] = [
  { holds: 'a plus sign', kind: 'query', make: (random) => `${random}+plus+${random.slice(0, 3)}` },
  { holds: 'a percent sign', kind: 'query', make: (random) => `${random}%zz-100%` },
  // Decoded twice, it is another code, and nothing throws.
  { holds: 'a percent escape', kind: 'query', make: (random) => `${random}%41%2Bz` },
  {
    holds: 'an ampersand and an equals sign',
    kind: 'query',
    make: (random) => `${random}&a=b&code=x`,
  },
  { holds: 'a space and a number sign', kind: 'query', make: (random) => `${random} a#b` },
  { holds: 'letters outside ASCII', kind: 'query', make: (random) => `${random}-é-ж-漢-🙂` },
]

/** A code that breaks JSON which was put together by hand. */
export const QUOTING_CODE: CodeKind = {
  holds: 'a quotation mark and a backslash',
  kind: 'quoting',
  make: (random) => `${random}"q\\n'<b>`,
}
