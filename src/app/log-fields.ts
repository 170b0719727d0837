import { isDate, isThenable, readProperty } from '../internal/hostile-values.ts'
import type { LogFields } from '../internal/logger.ts'
import { consumeRejections } from '../internal/user-code.ts'

/** A log line with more values or levels is cut: collectors reject such lines. */
const MAX_VALUES = 1_000
const MAX_DEPTH = 16
const MAX_LENGTH = 32_768

/** The parts of an error that are not enumerable. */
const ERROR_PARTS = ['name', 'message', 'stack', 'cause', 'errors']

/**
 * Returns the fields of a line of `ctx.log` as values that JSON can show: errors
 * with their message and stack, bigints, maps, dates, cycles and promises. A field
 * with the name of one of the line's own moves into `fields`. Never throws.
 */
export function toLogFields(own: LogFields, fields: unknown): LogFields {
  const given = new LogValues().convert(fields)
  if (typeof given !== 'object' || given === null) {
    return given === undefined ? own : { ...own, fields: given }
  }
  const entries = Object.entries(given)
  const isTaken = ([name]: [string, unknown]) => name in own || name === 'level'
  const taken = entries.filter(isTaken)
  return {
    ...own,
    ...Object.fromEntries(entries.filter((entry) => !isTaken(entry))),
    ...(taken.length > 0 && { fields: Object.fromEntries(taken) }),
  }
}

/** Converts the values of one line, and counts them. */
class LogValues {
  readonly #ancestors = new Set<object>()
  #count = 0

  convert(value: unknown): unknown {
    this.#count += 1
    switch (typeof value) {
      case 'string':
        return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value
      case 'number':
        return Number.isFinite(value) ? value : String(value)
      case 'bigint':
      case 'symbol':
        return String(value)
      case 'function':
        return this.#convertPromise(value) ?? '[function]'
      case 'object':
        return value === null ? null : this.#convertObject(value)
      default:
        return value
    }
  }

  #convertObject(object: object): unknown {
    if (this.#ancestors.has(object)) return '[circular]'
    if (this.#ancestors.size >= MAX_DEPTH || this.#count > MAX_VALUES) return '[truncated]'
    this.#ancestors.add(object)
    try {
      return this.#convertPromise(object) ?? this.#convertParts(object)
    } catch {
      return '[unreadable]'
    } finally {
      this.#ancestors.delete(object)
    }
  }

  #convertPromise(value: object): string | undefined {
    if (!isThenable(value)) return undefined
    consumeRejections(value)
    return '[promise]'
  }

  #convertParts(object: object): unknown {
    if (ArrayBuffer.isView(object)) return `[${object.byteLength} bytes]`
    if (isDate(object)) return Number.isNaN(object.getTime()) ? 'Invalid Date' : object.toJSON()
    if (object instanceof Map) return this.#convertNamed(object.entries())
    if (Array.isArray(object) || object instanceof Set) return this.#convertList(object)
    const toJson = readProperty(object, 'toJSON')
    if (typeof toJson === 'function') return this.convert(toJson.call(object))
    return this.#convertNamed(namedParts(object))
  }

  #convertList(items: Iterable<unknown>): unknown[] {
    const list: unknown[] = []
    for (const item of items) {
      if (this.#count > MAX_VALUES) return [...list, '[truncated]']
      list.push(this.convert(item))
    }
    return list
  }

  #convertNamed(parts: Iterable<[name: unknown, value: unknown]>): object {
    const named: [string, unknown][] = []
    for (const [name, value] of parts) {
      if (this.#count > MAX_VALUES) return Object.fromEntries([...named, ['…', '[truncated]']])
      named.push([String(this.convert(name)), this.convert(value)])
    }
    return Object.fromEntries(named)
  }
}

function* namedParts(object: object): Generator<[name: string, value: unknown]> {
  if (object instanceof Error) {
    for (const name of ERROR_PARTS) {
      const value = readProperty(object, name)
      if (value !== undefined) yield [name, value]
    }
  }
  for (const name in object) {
    if (Object.hasOwn(object, name)) yield [name, readPart(object, name)]
  }
}

function readPart(object: object, name: string): unknown {
  try {
    return (object as Readonly<Record<string, unknown>>)[name]
  } catch {
    return '[unreadable]'
  }
}
