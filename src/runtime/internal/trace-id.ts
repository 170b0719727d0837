/** Digits and letters without those that are easily confused: 0/o, 1/i/l, u/v. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz'

/** Creates a trace ID: 12 random characters that are easy to read aloud. */
export function createTraceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
