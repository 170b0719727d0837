import type { Redact } from '../internal/redact.ts'
import type { ApiErrorItem } from './errors.ts'

/** More than this says nothing more. */
const MAX_ITEMS = 20

/** What could be read from the body of a failed call (A12). */
export interface ErrorBody {
  readonly errors: readonly ApiErrorItem[]
  readonly requestId: string | undefined
}

/**
 * Reads `errors[]`, `error`, `message`, `code` and `request_id` where they are
 * there and of a kind that can be used; ignores everything else (A12).
 *
 * @param hide for each text after it was parsed, which undoes what escapes had hidden
 */
export function readErrorBody(text: string, hide: Redact): ErrorBody {
  const body = parseObject(text)
  const listed = Array.isArray(body['errors']) ? body['errors'].slice(0, MAX_ITEMS) : []
  const items = [...listed, body['error'], body]
    .map((value) => itemOf(value, hide))
    .filter((item) => item !== undefined)
  return { errors: items.slice(0, MAX_ITEMS), requestId: textOf(body['request_id']) }
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function itemOf(value: unknown, hide: Redact): ApiErrorItem | undefined {
  if (typeof value === 'string') return value === '' ? undefined : { message: hide(value) }
  if (typeof value !== 'object' || value === null) return undefined
  const { message, code } = value as { message?: unknown; code?: unknown }
  const [text, name] = [textOf(message), codeOf(code)]
  const item = {
    ...(text !== undefined && { message: hide(text) }),
    ...(name !== undefined && { code: hide(name) }),
  }
  return Object.keys(item).length === 0 ? undefined : item
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function codeOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : textOf(value)
}
