import { pipeline } from 'node:stream'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The maximum number of encodings. More are treated as an attack. */
const MAX_LAYERS = 3

/**
 * Removes the `Content-Encoding` of a body.
 *
 * @throws {Error} with the code `Z_UNKNOWN_ENCODING` for an encoding that was not requested.
 */
export function decodeBody(body: Readable, contentEncoding: string | null): Readable {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_LAYERS) throw unknownEncoding()
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = DECODERS[coding]?.()
    if (decoder === undefined) throw unknownEncoding()
    // The reader of the last stream receives the error.
    pipeline(source, decoder, () => undefined)
    return decoder
  }, body)
}

function unknownEncoding(): Error {
  return Object.assign(new Error('The Content-Encoding was not requested.'), {
    code: 'Z_UNKNOWN_ENCODING',
  })
}
