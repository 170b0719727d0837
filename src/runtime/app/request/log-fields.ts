import { errorMessage } from '../../internal/error-message.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import type { LogFields } from '../../internal/logger.ts'
import { consumeRejections } from '../../internal/user-code.ts'
import { byteLength } from './encode.ts'

/** The limits of a line, because log collectors reject longer ones. */
const MAX_VALUES = 1_000
const MAX_ITEMS = 100
const MAX_DEPTH = 16
const MAX_LENGTH = 32_768
/** The maximum size of a line in bytes, without its level and brackets. */
const MAX_LINE_BYTES = 63_900

/** Returns whether a value with this name, such as a binding, is left out. */
export type IsHidden = (name: string, value: unknown) => boolean

/**
 * Returns the fields of a line of `ctx.log` as values that JSON can show: errors
 * with their message and stack, bigints, maps, dates, cycles and promises. A field
 * whose name the line already uses moves into `fields`. Never throws.
 *
 * @param isHidden returns whether a value may contain secrets, and is left out
 */
export function toLogFields(own: LogFields, fields: unknown, isHidden: IsHidden): LogFields {
  const line: Record<string, unknown> = { ...own }
  const taken: Record<string, unknown> = {}
  let room = MAX_LINE_BYTES - byteLength(JSON.stringify(own))
  for (const [name, value] of readFields(fields)) {
    if (isHidden(name, value)) continue
    const json = toJson(value, isHidden)
    if (json === undefined) continue
    // 8 bytes are for the colon, the comma, and the quotes and ellipsis of a truncated value.
    room -= byteLength(JSON.stringify(name)) + 8
    if (room < 0) break
    const target = name in own || name === 'level' || name === 'fields' ? taken : line
    const isTooLong = byteLength(json) > room
    // A code unit takes at most three bytes, even if JSON escapes it again.
    target[name] = isTooLong ? `${json.slice(0, room / 3)}…` : JSON.parse(json)
    if (isTooLong) break
    room -= byteLength(json)
  }
  return Object.keys(taken).length === 0 ? line : { ...line, fields: taken }
}

function readFields(fields: unknown): Iterable<readonly [string, unknown]> {
  try {
    const parts = fields instanceof Error ? errorParts(fields) : fields
    const isRecord = typeof parts === 'object' && parts !== null && !isThenable(parts)
    if (isRecord) return Object.entries(parts)
  } catch {
    // A proxy that throws is shown as unreadable.
  }
  return fields === undefined ? [] : [['fields', fields]]
}

/** Converts a value to JSON; `undefined` if there is nothing to show. */
function toJson(root: unknown, isHidden: IsHidden): string | undefined {
  const ancestors: unknown[] = []
  let count = 0
  let length = 0
  function convert(this: Readonly<Record<string, unknown>>, name: string, given: unknown): unknown {
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop()
    const value = this[name]
    if (isHidden(name, value) || length > MAX_LINE_BYTES) return undefined
    if (isThenable(value)) {
      consumeRejections(value)
      return '[promise]'
    }
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    const shown = value instanceof Error ? value : given
    if (typeof shown !== 'object' || shown === null) {
      const primitive = showPrimitive(shown ?? value)
      length += typeof primitive === 'string' ? primitive.length : 1
      return primitive
    }
    if (ancestors.includes(shown)) return '[circular]'
    count += 1
    if (count > MAX_VALUES || ancestors.length > MAX_DEPTH) return '[truncated]'
    const parts = readParts(shown)
    ancestors.push(parts)
    return parts
  }
  try {
    return JSON.stringify(root, convert)
  } catch {
    return '"[unreadable]"'
  }
}

function showPrimitive(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_LENGTH) {
    return `${value.slice(0, MAX_LENGTH)}…`
  }
  if (typeof value === 'function') return '[function]'
  // JSON would show an invalid Date as null.
  if (value instanceof Date) return 'Invalid Date'
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}

function readParts(value: object): object {
  if (value instanceof Error) return errorParts(value)
  if (value instanceof Map) return Object.fromEntries([...value].slice(0, MAX_ITEMS))
  const items: unknown = value instanceof Set ? [...value] : value
  if (!Array.isArray(items)) return value
  return items.length > MAX_ITEMS ? [...items.slice(0, MAX_ITEMS), '[truncated]'] : items
}

/** Returns the parts of an error, most of which are not enumerable. */
function errorParts(error: Error): object {
  const { name, stack, cause } = error
  const message = error.message === '' ? errorMessage(error) : error.message
  return { name, message, stack, cause, ...(error as object) }
}
