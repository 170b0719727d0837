const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

function letters(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count))
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('')
}

/** Returns a unique ID such as `task_0r8k2m1x9c4d`. */
export function newId(prefix: string): string {
  return `${prefix}_${letters(12)}`
}

/** Returns 195 random bits, as text that is valid in a header. */
export function randomToken(): string {
  return letters(39)
}
