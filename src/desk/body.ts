/** The most bytes of a body, after decompression, that the desk reads. */
export const MAX_BODY_BYTES = 1_048_576

/** What was read of a body. `truncated` says that there was more than the cap. */
export interface ReadBody {
  readonly bytes: Uint8Array
  readonly truncated: boolean
}

/**
 * Reads a body up to `maxBytes` and then stops asking for more, so that a
 * compressed bomb costs no more than the cap.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  aborted: Promise<never>,
): Promise<ReadBody> {
  if (response.body === null) return { bytes: new Uint8Array(), truncated: false }
  const reader = response.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      // Raced on every read: a stream in process may know nothing of the abort signal.
      const { done, value } = await Promise.race([reader.read(), aborted])
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
    // Not awaited: cancelling may hang as long as the endpoint does.
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

/** Decodes UTF-8 strictly, keeping a byte order mark; `undefined` when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
