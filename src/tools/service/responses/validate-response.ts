import type { Exchange } from '../endpoint/exchange.ts'
import { invalid, type InvalidResponse } from './invalid-response.ts'
import { findStatusProblem } from './status.ts'
import type { TransportFailureKind } from '../endpoint/transport-failure.ts'

/** A reason that applies to both kinds of responses. They are checked in this order. */
export type ResponseFailureReason =
  | TransportFailureKind
  | 'redirect'
  | 'status'
  | 'content_type'
  | 'byte_order_mark'
  | 'not_utf8'

/** The result of {@link validateResponse}. */
export type ResponseValidation =
  | { readonly ok: true; readonly text: string; readonly contentType: string | undefined }
  | InvalidResponse<ResponseFailureReason>

/**
 * Validates the status, the `Content-Type` and the encoding of a response.
 *
 * @param findTypeProblem returns the problem of a `Content-Type`, if it is invalid
 */
export function validateResponse(
  exchange: Exchange,
  findTypeProblem: (contentType: string | undefined) => string | undefined,
): ResponseValidation {
  const { response, failure } = exchange
  if (failure !== undefined) return invalid(failure.kind, failure.message)
  if (response === undefined) return invalid('reset', 'no response was received')
  const statusProblem = findStatusProblem(exchange)
  if (statusProblem !== undefined) return statusProblem
  const { headers, text } = response
  const contentType = headers['content-type']
  const typeProblem = findTypeProblem(contentType)
  if (typeProblem !== undefined) {
    const isPage = /^\s*</.test(text ?? '')
    return invalid('content_type', typeProblem, isPage ? FIX_PAGE : undefined)
  }
  if (text === undefined) return invalid('not_utf8', 'the body is not valid UTF-8')
  if (text.startsWith('\uFEFF')) {
    return invalid('byte_order_mark', 'the body starts with a byte order mark')
  }
  return { ok: true, text, contentType }
}

const FIX_PAGE =
  'Check the path of the URL: the response is a page, such as a home page, a login or an error page of a proxy.'
