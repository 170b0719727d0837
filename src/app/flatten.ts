import { isAbsent, MAX_DEPTH, MAX_ITEMS } from '../builders/children.ts'
import { isArray } from '../internal/hostile-values.ts'
import { PayloadError } from './errors.ts'

/** A component that cannot be read. The validation reports its place. */
const UNREADABLE = Object.freeze({
  get type(): never {
    throw new TypeError('An array entry cannot be read.')
  },
})

/** Reads the entry of an array of the user, which may be a proxy. */
export function readEntry(entries: readonly unknown[], index: number): unknown {
  try {
    return entries[index]
  } catch {
    return UNREADABLE
  }
}

/**
 * Collects the components of values that may be nested arrays, without absent
 * ones. It counts the entries that it visits: a few arrays that contain each
 * other twice stand for millions. Other values are reported by the validation.
 */
export class Flattener {
  #visitedCount = 0

  /** @throws {PayloadError} `payload_too_large` for too many entries */
  append(components: unknown[], value: unknown, depth = 0): void {
    if (isAbsent(value)) return
    if (!isArray(value) || depth > MAX_DEPTH) {
      components.push(value)
      return
    }
    this.#visitedCount += value.length
    if (this.#visitedCount > MAX_ITEMS) throw tooManyEntries()
    for (let index = 0; index < value.length; index += 1) {
      this.append(components, readEntry(value, index), depth + 1)
    }
  }
}

/** Returns the components of a value that may be nested arrays, without absent ones. */
export function flatten(value: unknown): unknown[] {
  const components: unknown[] = []
  new Flattener().append(components, value)
  return components
}

/** Creates the error of a list that is too long to be read. */
export function tooManyEntries(): PayloadError {
  return new PayloadError('payload_too_large', `The content exceeds ${MAX_ITEMS} entries.`)
}
