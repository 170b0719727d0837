import { pipeline } from 'node:stream'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'

/** The encodings that requests accept. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/**
 * Removes the `Content-Encoding` of a body.
 *
 * @throws {Error} with the code `Z_UNKNOWN_ENCODING` for an encoding, or a list of several, that was not requested.
 */
export function decodeBody(body: Readable, contentEncoding: string | null): Readable {
  const coding = (contentEncoding ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return body
  const decoder = DECODERS[coding]?.()
  if (decoder === undefined) {
    const error = new Error('The Content-Encoding was not requested.')
    throw Object.assign(error, { code: 'Z_UNKNOWN_ENCODING' })
  }
  // The code that reads the decoder receives the error.
  return pipeline(body, decoder, () => undefined)
}
