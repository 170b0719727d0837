/** The text of a body. */
export interface Body {
  readonly text: string
  /** Whether the body was longer than the limit. */
  readonly truncated: boolean
  /** Whether the body is valid UTF-8. If it is not, `text` contains replacement characters. */
  readonly isUtf8: boolean
}

/**
 * Reads at most `maxBytes` of a body, counted after decompression, and cancels
 * the rest. A byte order mark is dropped.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', truncated: false, isUtf8: true }
  const chunks: Uint8Array[] = []
  let remaining = maxBytes
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read chunk by chunk
      const { done, value } = await reader.read()
      if (done) return { ...decode(chunks, true), truncated: false }
      chunks.push(value.subarray(0, remaining))
      if (value.byteLength > remaining) return { ...decode(chunks, false), truncated: true }
      remaining -= value.byteLength
    }
  } finally {
    // If the body was not read to its end, this releases the connection.
    reader.cancel().catch(() => undefined)
  }
}

function decode(chunks: readonly Uint8Array[], fatal: boolean): Pick<Body, 'text' | 'isUtf8'> {
  const decoder = new TextDecoder('utf-8', { fatal })
  try {
    const parts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }))
    return { text: parts.join('') + decoder.decode(), isUtf8: true }
  } catch {
    return { ...decode(chunks, false), isUtf8: false }
  }
}
