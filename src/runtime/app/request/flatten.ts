import { Flattener, MAX_DEPTH, MAX_ITEMS } from '../../builders/components/children.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import { consumeRejections } from '../../internal/user-code.ts'
import { PayloadError } from '../errors.ts'

/**
 * Visits values that may be nested arrays, without absent ones.
 *
 * @throws {PayloadError} `payload_too_large` for too many entries
 */
export function visitItems(
  flattener: Flattener,
  value: unknown,
  visit: (item: unknown) => void,
): void {
  if (flattener.each(value, visit)) return
  throw new PayloadError('payload_too_large', `The content exceeds ${MAX_ITEMS} entries.`)
}

/** Returns the components of a value that may be nested arrays, without absent ones. */
export function flatten(value: unknown, flattener = new Flattener()): unknown[] {
  const components: unknown[] = []
  visitItems(flattener, value, (item) => void components.push(item))
  return components
}

/** Flattens like {@link flatten}, and also awaits promises of components, at any depth. */
export async function flattenAwaited(
  value: unknown,
  flattener = new Flattener(),
  depth = 0,
): Promise<unknown[]> {
  let items: unknown[]
  try {
    items = flatten(value, flattener)
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
