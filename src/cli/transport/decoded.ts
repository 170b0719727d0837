import { pipeline } from 'node:stream'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** More layers than this are an attack on whoever unpacks them. */
const MAX_LAYERS = 3

/**
 * A body without its `Content-Encoding`.
 *
 * @throws {Error} with the code `Z_UNKNOWN_ENCODING` for a coding that was not asked for.
 */
export function decoded(body: Readable, contentEncoding: string | null): Readable {
  const codings = (contentEncoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_LAYERS) throw unknown()
  return codings.reduceRight<Readable>((source, coding) => {
    const decoder = DECODERS[coding]?.()
    if (decoder === undefined) throw unknown()
    // Its error reaches the reader of the last stream; nobody else needs it.
    pipeline(source, decoder, () => undefined)
    return decoder
  }, body)
}

function unknown(): Error {
  return Object.assign(new Error('The Content-Encoding is not one that was asked for.'), {
    code: 'Z_UNKNOWN_ENCODING',
  })
}
