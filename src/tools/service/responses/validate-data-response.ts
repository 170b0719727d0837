import { describeType } from '../../../runtime/contract/explain.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import type { Exchange } from '../endpoint/exchange.ts'
import { describeJsonError, invalid, type InvalidResponse } from './invalid-response.ts'
import { isJsonObject, type JsonObject } from '../endpoint/json-object.ts'
import { mediaType } from '../endpoint/media-type.ts'
import { describeContentType } from './status.ts'
import { validateResponse } from './validate-response.ts'
import type { ResponseFailureReason } from './validate-response.ts'

/**
 * The reason why a data response is not a JSON object. The first that applies, in
 * this order, is reported.
 */
export type DataFailureReason = ResponseFailureReason | 'not_json' | 'not_an_object'

/** The result of {@link validateDataResponse}, which does not validate the payload itself. */
export type DataValidation =
  | { readonly ok: true; readonly value: JsonObject }
  | InvalidResponse<DataFailureReason>

/**
 * Validates that the response to a data fetch is a JSON object. The contract names
 * no `Content-Type` for it, so a missing one is valid. A type other than JSON is
 * invalid, because clients must trust the declared type (RFC 9110, section 8.3).
 *
 * @see docs/contract.md#data-fetch
 */
export function validateDataResponse(exchange: Exchange): DataValidation {
  const validation = validateResponse(exchange, (contentType) =>
    contentType === undefined || isJsonType(contentType)
      ? undefined
      : `the Content-Type is ${describeContentType(contentType)}, expected application/json`,
  )
  if (!validation.ok) return validation
  const { text } = validation
  const value = tryJson(text)
  if (value === undefined) {
    return invalid('not_json', describeJsonError(text))
  }
  if (isJsonObject(value)) return { ok: true, value }
  return invalid('not_an_object', `the body is ${describeType(value)}, expected an object`)
}

/**
 * Returns whether a type is `application/json`, `text/json`, or one of the `+json`
 * family (RFC 6839).
 */
function isJsonType(contentType: string): boolean {
  const type = mediaType(contentType)
  return type !== undefined && /^(?:(?:application|text)\/json|[^/]+\/[^/]+\+json)$/.test(type)
}
