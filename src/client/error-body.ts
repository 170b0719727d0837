import type { Redact } from '../internal/create-redactor.ts'
import type { ApiErrorItem } from './errors.ts'

const MAX_ITEMS = 20

/** The body of a failed call, with its secrets hidden (A12). */
export interface ErrorBody {
  readonly errors: readonly ApiErrorItem[]
  readonly requestId: string | undefined
  /** The raw body. */
  readonly text: string
}

/**
 * Reads `errors[]`, `error`, `message`, `code` and `request_id` if they are
 * present and have the expected type. Other fields are ignored (A12).
 *
 * @param headerRequestId the fallback for a body without a request ID
 * @param redact replaces secrets in the texts, even where parsing has decoded their escapes
 */
export function readErrorBody(
  text: string,
  headerRequestId: string | undefined,
  redact: Redact,
): ErrorBody {
  const body = parseObject(text)
  const listed = Array.isArray(body['errors']) ? body['errors'].slice(0, MAX_ITEMS) : []
  const errors = [...listed, body['error'], body]
    .map(readItem)
    .filter((item) => item !== undefined)
    .slice(0, MAX_ITEMS)
  const requestId = toText(body['request_id']) ?? headerRequestId
  return {
    text: redact(text),
    requestId: requestId && redact(requestId),
    errors: errors.map((item) =>
      Object.fromEntries(Object.entries(item).map(([name, value]) => [name, redact(value)])),
    ),
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function readItem(value: unknown): ApiErrorItem | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { message: value }
  if (typeof value !== 'object' || value === null) return undefined
  const { message, code } = value as { message?: unknown; code?: unknown }
  const [text, name] = [toText(message), typeof code === 'number' ? String(code) : toText(code)]
  if (text === undefined && name === undefined) return undefined
  return { ...(text !== undefined && { message: text }), ...(name !== undefined && { code: name }) }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
