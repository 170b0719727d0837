import type { TimeLimit } from '../../../runtime/internal/user-code.ts'

/** The default limit for a body, in bytes after decompression. */
export const MAX_BODY_BYTES = 1_048_576

/** The bytes of a body. `truncated` is true if the body exceeds the limit. */
export interface ReadBody {
  readonly bytes: Uint8Array
  readonly truncated: boolean
}

/** Reads at most `maxBytes` of a body, which also limits the damage of a decompression bomb. */
export async function readBody(
  response: Response,
  maxBytes: number,
  limit?: TimeLimit,
): Promise<ReadBody> {
  // A test double's response may have no body at all.
  if (!response.body) return { bytes: new Uint8Array(), truncated: false }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const read = reader.read()
      // An in-process stream may ignore the signal.
      const { done, value } = await (limit?.race(read) ?? read)
      if (done) return { bytes: concat(chunks, size), truncated: false }
      const room = maxBytes - size
      if (value.byteLength > room) {
        chunks.push(value.subarray(0, room))
        return { bytes: concat(chunks, maxBytes), truncated: true }
      }
      chunks.push(value)
      size += value.byteLength
    }
  } finally {
    // This is not awaited, because canceling may hang as long as the endpoint does.
    reader.cancel().catch(() => undefined)
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Decodes UTF-8 strictly, keeping a byte order mark; returns `undefined` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes UTF-8 in a text whose characters are bytes, as HTTP libraries return headers.
 * Returns any other text unchanged.
 */
export function decodeBinary(text: string): string {
  if (/[^\0-\xFF]/.test(text)) return text
  return decodeUtf8(Uint8Array.from(text, (character) => character.charCodeAt(0))) ?? text
}
