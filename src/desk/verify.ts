import { printable, quoted } from '../internal/printable.ts'
import type { Exchange } from './exchange.ts'
import type { FailureKind } from './failure.ts'
import { mediaType } from './media-type.ts'

/** Why a handshake did not succeed; the first that applies, in this order. */
export type HandshakeFault =
  | FailureKind
  | 'redirect'
  | 'status'
  | 'content_type'
  | 'byte_order_mark'
  | 'not_utf8'
  | 'json_as_text'
  | 'text_as_json'
  | 'not_json'
  | 'not_an_object'
  | 'code_missing'
  | 'code_not_a_string'
  | 'extra_fields'
  | 'white_space'
  | 'quotes'
  | 'code_differs'

/** The two forms that the contract allows. @see docs/contract.md#handshake */
export type HandshakeForm = 'json' | 'text'

/** A handshake judged by the contract. */
export type HandshakeVerdict =
  | { readonly ok: true; readonly form: HandshakeForm }
  | {
      readonly ok: false
      readonly reason: HandshakeFault
      /** One line that says what was wrong; safe to print. */
      readonly message: string
      /** The code that the answer held instead, where it held one. */
      readonly answered?: string
    }

/**
 * Judges the answer to a handshake by the contract's letter: HTTP 200, and
 * either a JSON object with the one field `code` under `application/json`, or
 * the code and nothing else under `text/plain`.
 *
 * @see docs/contract.md#handshake
 */
export function judgeHandshake(code: string, { response, failure }: Exchange): HandshakeVerdict {
  if (failure !== undefined) return fault(failure.kind, failure.message)
  if (response === undefined) return fault('reset', 'no answer came')
  const { status, headers, text } = response
  if (isRedirect(status)) {
    return fault('redirect', `answered ${status}, a redirect: the service asks the given URL only`)
  }
  if (status !== 200) return fault('status', describeStatus(status))
  const type = mediaType(headers['content-type'])
  if (type !== 'application/json' && type !== 'text/plain') {
    return fault('content_type', `the Content-Type is ${describeType(headers['content-type'])}`)
  }
  if (text === undefined) return fault('not_utf8', 'the body is not valid UTF-8')
  if (text.startsWith('\uFEFF')) {
    return fault('byte_order_mark', 'the body begins with a byte order mark')
  }
  return type === 'application/json' ? judgeJson(code, text) : judgeText(code, text)
}

/** Statuses that send the client elsewhere; 304 is none of them. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** A status other than 200 as evidence. */
export function describeStatus(status: number): string {
  return status === 401 || status === 403
    ? `answered ${status}: the endpoint wants another header than was sent`
    : `answered ${status} where the contract asks for 200`
}

/** A `Content-Type` as evidence. */
export function describeType(contentType: string | undefined): string {
  return contentType === undefined ? 'absent' : quoted(contentType)
}

function judgeJson(code: string, text: string): HandshakeVerdict {
  if (text === code && text !== '') {
    return fault('text_as_json', 'the body is the bare code, but the Content-Type says JSON')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fault('not_json', `the body is not JSON: ${quoted(text)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('not_an_object', `the body is ${describe(value)} where an object is wanted`)
  }
  if (!Object.hasOwn(value, 'code')) {
    return fault('code_missing', `the object has no field code${nearby(value)}`)
  }
  const { code: answered } = value as { code: unknown }
  if (typeof answered !== 'string') {
    return fault('code_not_a_string', `the field code holds ${describe(answered)}`)
  }
  if (answered !== code) return differs(answered)
  const extra = Object.keys(value).filter((name) => name !== 'code')
  if (extra.length > 0) {
    const names = extra.slice(0, 5).map((name) => printable(name, 40))
    return fault('extra_fields', `beside code the object holds ${names.join(', ')}`)
  }
  return { ok: true, form: 'json' }
}

function judgeText(code: string, text: string): HandshakeVerdict {
  if (text === code) return { ok: true, form: 'text' }
  if (text.trim() === code) {
    return fault('white_space', 'white space or a line end surrounds the code')
  }
  const bare = text.trim()
  if (bare.slice(1, -1) === code && /^(["'`])[^]*\1$/.test(bare)) {
    return fault('quotes', 'quotation marks surround the code')
  }
  if (holdsCode(bare)) {
    return fault('json_as_text', 'the body is JSON, but the Content-Type says text/plain')
  }
  return differs(text)
}

function holdsCode(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'code')
  } catch {
    return false
  }
}

function differs(answered: string): HandshakeVerdict {
  return {
    ok: false,
    reason: 'code_differs',
    message: `the answer holds ${quoted(answered)}, which is not the code that was sent`,
    answered,
  }
}

function nearby(value: object): string {
  const names = Object.keys(value)
  if (names.length === 0) return ' (it is empty)'
  return ` (it has ${names
    .slice(0, 5)
    .map((name) => printable(name, 40))
    .join(', ')})`
}

function fault(reason: HandshakeFault, message: string): HandshakeVerdict {
  return { ok: false, reason, message }
}

/** A JSON value by its kind, for a sentence. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`
}
