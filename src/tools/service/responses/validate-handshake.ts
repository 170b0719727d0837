import { describeType } from '../../../runtime/contract/explain.ts'
import { escapeForDisplay, quote } from '../../internal/escape-for-display.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import type { Exchange } from '../endpoint/exchange.ts'
import { describeJsonError, invalid, type InvalidResponse } from './invalid-response.ts'
import { isJsonObject } from '../endpoint/json-object.ts'
import { mediaType } from '../endpoint/media-type.ts'
import { describeContentType } from './status.ts'
import { validateResponse } from './validate-response.ts'
import type { ResponseFailureReason } from './validate-response.ts'

/** The reason why a handshake failed. The first that applies, in this order, is reported. */
export type HandshakeFailureReason =
  | ResponseFailureReason
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

/** The form of a handshake response: JSON or plain text. @see docs/contract.md#handshake */
export type HandshakeForm = 'json' | 'text'

/** A response that is not valid for a handshake. */
export interface InvalidHandshake extends InvalidResponse<HandshakeFailureReason> {
  /** The code in the response, if it is not the one that was sent. */
  readonly receivedCode?: string
}

/** The result of {@link validateHandshake}. */
export type HandshakeValidation =
  | { readonly ok: true; readonly form: HandshakeForm }
  | InvalidHandshake

/**
 * Validates the response to a handshake: HTTP 200, and either a JSON object with
 * the one field `code` as `application/json`, or the bare code as `text/plain`.
 *
 * @see docs/contract.md#handshake
 */
export function validateHandshake(code: string, exchange: Exchange): HandshakeValidation {
  const validation = validateResponse(exchange, (contentType) =>
    isHandshakeType(mediaType(contentType))
      ? undefined
      : `the Content-Type is ${describeContentType(contentType)}`,
  )
  if (!validation.ok) return validation
  const { text, contentType } = validation
  return mediaType(contentType) === 'application/json'
    ? validateJson(code, text)
    : validateText(code, text)
}

function isHandshakeType(type: string | undefined): boolean {
  return type === 'application/json' || type === 'text/plain'
}

function validateJson(code: string, text: string): HandshakeValidation {
  if (text === code && text !== '') {
    return invalid('text_as_json', 'the body is the bare code, but the Content-Type is JSON')
  }
  const value = tryJson(text)
  if (value === undefined) return invalid('not_json', describeJsonError(text))
  if (!isJsonObject(value)) {
    return invalid('not_an_object', `the body is ${describeType(value)}, expected an object`)
  }
  if (!Object.hasOwn(value, 'code')) {
    return invalid('code_missing', `the object has no field code${listFields(value)}`)
  }
  const { code: receivedCode } = value
  if (typeof receivedCode !== 'string') {
    const kind = describeType(receivedCode)
    return invalid('code_not_a_string', `the field code is ${kind}, expected a string`)
  }
  if (receivedCode !== code) return codeMismatch(receivedCode)
  const extra = Object.keys(value).filter((name) => name !== 'code')
  if (extra.length > 0) {
    return invalid('extra_fields', `the object has extra fields: ${joinNames(extra)}`)
  }
  return { ok: true, form: 'json' }
}

function validateText(code: string, text: string): HandshakeValidation {
  if (text === code) return { ok: true, form: 'text' }
  const trimmed = text.trim()
  if (trimmed === code) {
    return invalid('white_space', 'the code is surrounded by whitespace or newlines')
  }
  if (trimmed.slice(1, -1) === code && /^(["'`])[^]*\1$/.test(trimmed)) {
    return invalid('quotes', 'the code is wrapped in quotation marks')
  }
  if (isJsonWithCode(trimmed)) {
    return invalid('json_as_text', 'the body is JSON, but the Content-Type is text/plain')
  }
  return codeMismatch(text)
}

function isJsonWithCode(text: string): boolean {
  const value = tryJson(text)
  return isJsonObject(value) && Object.hasOwn(value, 'code')
}

function codeMismatch(receivedCode: string): HandshakeValidation {
  const message = `the response contains ${quote(receivedCode)} instead of the code that was sent`
  return { ...invalid('code_differs', message), receivedCode }
}

function listFields(value: object): string {
  const names = Object.keys(value)
  return names.length === 0 ? ' (it is empty)' : ` (fields: ${joinNames(names)})`
}

function joinNames(names: readonly string[]): string {
  return names
    .slice(0, 5)
    .map((name) => escapeForDisplay(name, 40))
    .join(', ')
}
