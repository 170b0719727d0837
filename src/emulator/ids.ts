/** Creates IDs and secrets. */
export interface Ids {
  /** Returns a unique ID such as `task_0r8k2m1x9c4d`. */
  readonly newId: (prefix: string) => string
  /** Returns 195 random bits, as text that is valid in a header. */
  readonly randomToken: () => string
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Creates IDs with the runtime's random generator. */
export function createIds(): Ids {
  const letters = (count: number) =>
    Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => ALPHABET[byte % 32]).join(
      '',
    )
  return {
    newId: (prefix) => `${prefix}_${letters(12)}`,
    randomToken: () => letters(39),
  }
}
