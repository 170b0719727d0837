import { copyEntries, type EntryCopier } from '../../contract/copy-values.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { isAbsent, isPending, MAX_DEPTH, MAX_ITEMS } from './children.ts'

/**
 * Returns a function that validates the components in an argument of a builder,
 * which may be absent or nested.
 *
 * @param check validates one component
 * @param isPendingAllowed for sections and promises, which settle later
 */
export function createItemCheck(check: EntryCopier, isPendingAllowed: boolean): EntryCopier {
  let depth = -1
  let itemCount = 0
  return function visit(item, validation) {
    if (isAbsent(item) || (isPendingAllowed && isPending(item))) return undefined
    if (!isArray(item)) return check(item, validation)
    depth += 1
    itemCount += item.length
    if (depth > MAX_DEPTH || itemCount > MAX_ITEMS) {
      const message = depth > MAX_DEPTH ? 'is nested too deeply' : `exceeds ${MAX_ITEMS} components`
      validation.report('too_many_components', '', message, 'Show fewer components.')
    } else copyEntries(validation, '', item, visit)
    depth -= 1
    return undefined
  }
}
