/** The text of a body. */
export interface Body {
  readonly text: string
  /** Whether the body was longer than the limit. */
  readonly truncated: boolean
}

/**
 * Reads at most `maxBytes` of a body, counted after decompression, and cancels
 * the rest. A byte order mark is dropped.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', truncated: false }
  const decoder = new TextDecoder()
  let text = ''
  let remaining = maxBytes
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read chunk by chunk
      const { done, value } = await reader.read()
      if (done) return { text: text + decoder.decode(), truncated: false }
      if (value.byteLength > remaining) {
        return { text: text + decoder.decode(value.subarray(0, remaining)), truncated: true }
      }
      remaining -= value.byteLength
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    // If the body was not read to its end, this releases the connection.
    reader.cancel().catch(() => undefined)
  }
}
