import type { Redact } from '../internal/create-redactor.ts'
import { isRecord } from '../internal/read-options.ts'
import { tryJson } from '../internal/try-json.ts'
import type { ApiErrorItem } from './errors.ts'

const MAX_ITEMS = 20

/**
 * Reads `errors[]`, `error`, `message`, `code` and `request_id` from the body of a
 * failed call, if they have the expected types. Other fields are ignored (A12).
 *
 * @param redact replaces secrets in the texts, after parsing has decoded their
 * escapes
 */
export function readErrorBody(text: string, redact: Redact) {
  const parsed = tryJson(text)
  const body = isRecord(parsed) ? parsed : {}
  const listed = Array.isArray(body['errors']) ? body['errors'].slice(0, MAX_ITEMS) : []
  const errors = [...listed, body['error'], body].flatMap((item) => readItem(item, redact))
  return { requestId: toText(body['request_id']), errors: errors.slice(0, MAX_ITEMS) }
}

function readItem(item: unknown, redact: Redact): ApiErrorItem[] {
  const { message, code: given } = isRecord(item) ? item : { message: item }
  const text = toText(message)
  const code = toText(typeof given === 'number' ? String(given) : given)
  if (text === undefined && code === undefined) return []
  return [{ ...(text && { message: redact(text) }), ...(code && { code: redact(code) }) }]
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
