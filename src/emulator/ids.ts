/** Makes ids and secrets. */
export interface Ids {
  /** An id that no other has, such as `task_0r8k2m1x9c4d`. */
  readonly newId: (prefix: string) => string
  /** 192 random bits, as text that fits into a header. */
  readonly randomToken: () => string
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ids from the runtime's source of randomness. */
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
