import { encodeComponents } from '../../contract/encode.ts'
import type { Actions } from '../action-support.ts'
import { createInvalidPayloadError, PayloadError } from '../errors.ts'

/** Components as JSON, joined by commas. */
export interface Piece {
  readonly json: string
  /** All components, including those in cards. */
  readonly componentCount: number
  /** The components that are not in cards. */
  readonly length: number
}

/** A payload as JSON. */
export interface EncodedPayload {
  readonly json: string
  readonly componentCount: number
}

/** The limits and the validation options of a payload. */
export interface EncodeOptions {
  readonly uriSchemes: readonly string[]
  readonly maxComponents: number
  readonly maxBodyBytes: number
  readonly actions: Actions | undefined
}

/**
 * Validates components and writes their JSON.
 *
 * @param offset the index of the first component in the payload, for paths
 * @throws {PayloadError} `invalid_payload`, or `payload_too_large` for too many components
 */
export function encodePiece(
  components: readonly unknown[],
  options: EncodeOptions,
  offset = 0,
): Piece {
  const encoded = encodeComponents(components, 'payload', options)
  if (encoded.ok) {
    const { json, componentCount } = encoded
    return { json: json.slice(1, -1), componentCount, length: components.length }
  }
  const issues = encoded.issues.map((issue) => ({ ...issue, path: moveBy(offset, issue.path) }))
  if (issues.some(({ code }) => code === 'too_many_components'))
    throw tooManyComponents(options.maxComponents)
  throw createInvalidPayloadError(issues)
}

/** Encodes a card that Sidecard created. Limits do not apply to it. */
export function encodeOwnCard(card: object, options: EncodeOptions): Piece {
  return encodePiece([card], { ...options, maxComponents: Infinity })
}

/**
 * Joins the pieces of parts into the JSON of a payload.
 *
 * @param head the JSON of the payload up to its first component
 * @throws {PayloadError} `payload_too_large`
 */
export function joinPieces(
  head: string,
  parts: readonly { readonly piece: Piece }[],
  { maxComponents, maxBodyBytes }: EncodeOptions,
): EncodedPayload {
  let componentCount = 0
  let list = ''
  for (const { piece } of parts) {
    componentCount += piece.componentCount
    list += list === '' || piece.json === '' ? piece.json : `,${piece.json}`
  }
  if (componentCount > maxComponents) throw tooManyComponents(maxComponents)
  const json = `${head}${list}]}`
  // A UTF-16 unit takes at most three bytes, so most payloads need no exact count.
  if (json.length * 3 > maxBodyBytes && byteLength(json) > maxBodyBytes) {
    throw tooManyBytes(maxBodyBytes)
  }
  return { json, componentCount }
}

/** Returns the size of a string in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

export function tooManyBytes(max: number): PayloadError {
  return new PayloadError(
    'payload_too_large',
    `The payload exceeds ${max} bytes (limits.maxBodyBytes).`,
  )
}

export function tooManyComponents(max: number): PayloadError {
  return new PayloadError(
    'payload_too_large',
    `The payload exceeds ${max} components (limits.maxComponents).`,
  )
}

function moveBy(offset: number, path: string): string {
  return path.replace(/^components\[(\d+)\]/, (_, index) => `components[${Number(index) + offset}]`)
}
