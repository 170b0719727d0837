import { quoted } from '../internal/printable.ts'
import type { Exchange } from './exchange.ts'
import type { FailureKind } from './failure.ts'
import { mediaType } from './media-type.ts'
import { isJsonObject } from './rules/payload-walk.ts'
import type { JsonObject } from './rules/payload-walk.ts'
import { describe, describeStatus, describeType, isRedirect } from './verify.ts'

/** Why the answer to a data fetch is no JSON object; the first that applies, in this order. */
export type DataFault =
  | FailureKind
  | 'redirect'
  | 'status'
  | 'content_type'
  | 'byte_order_mark'
  | 'not_utf8'
  | 'not_json'
  | 'not_an_object'

/** A data answer judged as far as it can be without looking into the payload. */
export type DataVerdict =
  | { readonly ok: true; readonly value: JsonObject }
  | {
      readonly ok: false
      readonly reason: DataFault
      /** One line that says what was wrong; safe to print. */
      readonly message: string
    }

/**
 * Judges whether the answer to a data fetch is a JSON object. The contract
 * names no `Content-Type` for it, so an absent one passes; one that says that
 * the body is something else (HTML, plain text, an image) does not, since HTTP
 * forbids the service to guess otherwise (RFC 9110, section 8.3).
 *
 * @see docs/contract.md#data-fetch
 */
export function judgeData({ response, failure }: Exchange): DataVerdict {
  if (failure !== undefined) return fault(failure.kind, failure.message)
  if (response === undefined) return fault('reset', 'no answer came')
  const { status, headers, text } = response
  if (isRedirect(status)) {
    return fault('redirect', `answered ${status}, a redirect: the service asks the given URL only`)
  }
  if (status !== 200) return fault('status', describeStatus(status))
  const contentType = headers['content-type']
  if (contentType !== undefined && !isJsonType(contentType)) {
    return fault('content_type', `the Content-Type is ${describeType(contentType)}, not JSON`)
  }
  if (text === undefined) return fault('not_utf8', 'the body is not valid UTF-8')
  if (text.startsWith('\uFEFF')) {
    return fault('byte_order_mark', 'the body begins with a byte order mark')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fault(
      'not_json',
      text === '' ? 'the body is empty' : `the body is not JSON: ${quoted(text)}`,
    )
  }
  if (isJsonObject(value)) return { ok: true, value }
  return fault('not_an_object', `the body is ${describe(value)} where an object is wanted`)
}

/** `application/json`, `text/json`, and every type of the `+json` family (RFC 6839). */
function isJsonType(contentType: string): boolean {
  const type = mediaType(contentType)
  return type !== undefined && /^(?:(?:application|text)\/json|[^/]+\/[^/]+\+json)$/.test(type)
}

function fault(reason: DataFault, message: string): DataVerdict {
  return { ok: false, reason, message }
}
