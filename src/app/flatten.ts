import { isAbsent, MAX_DEPTH, MAX_ITEMS } from '../builders/children.ts'
import { isArray, isThenable } from '../internal/hostile-values.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { PayloadError } from './errors.ts'

/** A component that cannot be read. The validation reports its place. */
const UNREADABLE = Object.freeze({
  get type(): never {
    throw new TypeError('An array entry cannot be read.')
  },
})

/** Reads the entry of an array of the user, which may be a proxy. */
function readEntry(entries: readonly unknown[], index: number): unknown {
  try {
    return entries[index]
  } catch {
    return UNREADABLE
  }
}

/**
 * Visits values that may be nested arrays, without absent ones. It counts the
 * entries: a few arrays that contain each other twice stand for millions. An
 * array that is too deep is visited as a value, which the validation reports.
 */
export class Flattener {
  #visitedCount = 0

  /** @throws {PayloadError} `payload_too_large` for too many entries */
  each(value: unknown, visit: (item: unknown) => void, depth = 0): void {
    if (isAbsent(value)) return
    if (!isArray(value) || depth > MAX_DEPTH) return visit(value)
    this.#visitedCount += value.length
    if (this.#visitedCount > MAX_ITEMS) {
      throw new PayloadError('payload_too_large', `The content exceeds ${MAX_ITEMS} entries.`)
    }
    for (let index = 0; index < value.length; index += 1) {
      this.each(readEntry(value, index), visit, depth + 1)
    }
  }
}

/** Returns the components of a value that may be nested arrays, without absent ones. */
export function flatten(value: unknown): unknown[] {
  const components: unknown[] = []
  new Flattener().each(value, (item) => components.push(item))
  return components
}

/** As {@link flatten}, and awaits the promises among the components, at any depth. */
export async function flattenAwaited(
  value: unknown,
  flattener = new Flattener(),
  depth = 0,
): Promise<unknown[]> {
  const items: unknown[] = []
  try {
    flattener.each(value, (item) => items.push(item))
  } catch (error) {
    consumeRejections(value)
    throw error
  }
  if (depth > MAX_DEPTH || !items.some((item) => isThenable(item))) return items
  const settled = items.map(async (item) =>
    isThenable(item) ? flattenAwaited(await item, flattener, depth + 1) : [item],
  )
  return (await Promise.all(settled)).flat()
}
