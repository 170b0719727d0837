/** Returns text in UTF-8 with one character for each byte, as `btoa()` reads it. */
export function toBinary(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Encodes a value as JSON in base64, for a header. */
export function encodeBase64Json(value: unknown): string {
  return btoa(toBinary(JSON.stringify(value)))
}

/** Decodes JSON in base64. Returns `undefined` for an unreadable value. */
export function decodeBase64Json(text: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
  } catch {
    return undefined
  }
}
