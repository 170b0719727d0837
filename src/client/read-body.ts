/** What was read of a body. */
export interface Body {
  readonly text: string
  /** Whether there was more than the limit. */
  readonly isCut: boolean
}

/**
 * Reads a body up to a number of bytes, counted after decompression, and
 * cancels the rest. A byte order mark is dropped.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Body> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: '', isCut: false }
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is read piece by piece
      const { done, value } = await reader.read()
      if (done) return { text: text + decoder.decode(), isCut: false }
      if (value.byteLength > left) {
        return { text: text + decoder.decode(value.subarray(0, left)), isCut: true }
      }
      left -= value.byteLength
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    // After the end this does nothing; before it, the connection is let go.
    reader.cancel().catch(() => undefined)
  }
}
