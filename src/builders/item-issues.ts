import { validateComponent } from '../contract/encode.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { isArray } from '../internal/hostile-values.ts'
import { isAbsent, MAX_DEPTH, MAX_ITEMS } from './children.ts'
import { isSection } from './section.ts'

const MAX_ISSUES = 20

/** Returns the issues of the components in a field of a card or a payload, each with its path. */
export function findItemIssues(
  components: readonly unknown[],
  field: string,
  place: 'payload' | 'card',
): PayloadIssue[] {
  const issues: PayloadIssue[] = []
  let itemCount = 0
  visit(components, field, 0)
  return issues

  function visit(items: readonly unknown[], path: string, depth: number): void {
    itemCount += items.length
    if (depth > MAX_DEPTH || itemCount > MAX_ITEMS) {
      const message = depth > MAX_DEPTH ? 'is nested too deeply' : `exceeds ${MAX_ITEMS} components`
      issues.push({ path, code: 'too_many_components', message, fix: 'Show fewer components.' })
      return
    }
    for (let index = 0; index < items.length && issues.length < MAX_ISSUES; index++) {
      const item = items[index]
      const itemPath = `${path}[${index}]`
      if (isArray(item)) visit(item, itemPath, depth + 1)
      else if (!isAbsent(item)) issues.push(...locate(findIssues(item, place), itemPath))
    }
  }
}

function locate(issues: readonly PayloadIssue[], path: string): PayloadIssue[] {
  return issues.map((issue) => ({
    ...issue,
    path: issue.path === '' ? path : `${path}.${issue.path}`,
  }))
}

function findIssues(item: unknown, place: 'payload' | 'card'): readonly PayloadIssue[] {
  if (!isSection(item)) return validateComponent(item, place, { uriSchemes: 'any' })
  const message = 'is a section, which renders as a card'
  const fix = 'Return it from fetchData next to the cards.'
  return [{ path: '', code: 'invalid_component', message, fix }]
}
