/**
 * A short name for a key of any length, for stores outside of this process: keys
 * of Workers KV end at 512 bytes, and nobody who lists them should read an
 * e-mail address. SHA-256, so two keys do not meet.
 */
export async function hashedKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `sidecard:${Array.from(new Uint8Array(digest), hexByte).join('')}`
}

function hexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}
