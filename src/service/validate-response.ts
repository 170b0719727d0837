import type { Exchange } from './exchange.ts'
import { describeStatus, isRedirect } from './status.ts'
import type { TransportFailureKind } from './transport-failure.ts'

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
  | { readonly ok: false; readonly reason: ResponseFailureReason; readonly message: string }

/**
 * Validates the status, the `Content-Type` and the encoding of a response.
 *
 * @param findTypeProblem returns the problem of a `Content-Type`, if it is invalid
 */
export function validateResponse(
  { response, failure }: Exchange,
  findTypeProblem: (contentType: string | undefined) => string | undefined,
): ResponseValidation {
  if (failure !== undefined) return invalid(failure.kind, failure.message)
  if (response === undefined) return invalid('reset', 'no response was received')
  const { status, headers, text } = response
  if (isRedirect(status)) return invalid('redirect', describeStatus(status))
  if (status !== 200) return invalid('status', describeStatus(status))
  const contentType = headers['content-type']
  const typeProblem = findTypeProblem(contentType)
  if (typeProblem !== undefined) return invalid('content_type', typeProblem)
  if (text === undefined) return invalid('not_utf8', 'the body is not valid UTF-8')
  if (text.startsWith('\uFEFF')) {
    return invalid('byte_order_mark', 'the body starts with a byte order mark')
  }
  return { ok: true, text, contentType }
}

function invalid(reason: ResponseFailureReason, message: string): ResponseValidation {
  return { ok: false, reason, message }
}
