import * as explain from '../contract/explain.ts'
import { MAX_ISSUES, type PayloadIssue } from '../contract/issues.ts'
import { componentIssues } from '../contract/walk.ts'
import { isObject, type UriOptions } from './arguments.ts'
import { isAbsent } from './children.ts'
import { isSection } from './section.ts'

/** What is wrong with the children of a card or a payload, each at its own index. */
export function childIssues(
  components: unknown,
  place: 'payload' | 'card',
  options: UriOptions | undefined,
): PayloadIssue[] {
  if (!Array.isArray(components)) {
    const message = `must be an array of components, got ${explain.kindOf(components)}`
    return [{ path: 'components', code: 'invalid_type', message }]
  }
  const issues: PayloadIssue[] = []
  for (const [index, child] of components.entries()) {
    for (const issue of isAbsent(child) ? [] : issuesOf(child, place, options)) {
      const at = `components[${index}]`
      issues.push({ ...issue, path: issue.path === '' ? at : `${at}.${issue.path}` })
    }
    if (issues.length >= MAX_ISSUES) break
  }
  return issues.slice(0, MAX_ISSUES)
}

function issuesOf(
  child: unknown,
  place: 'payload' | 'card',
  options: UriOptions | undefined,
): PayloadIssue[] {
  if (isSection(child)) {
    return wrong('is a section: return it from fetchData beside the cards, it makes its own card')
  }
  if (isObject(child) && 'then' in child && typeof child.then === 'function') {
    return wrong('is a promise: await it first, or load it with section()')
  }
  return componentIssues(child, place, options)
}

function wrong(message: string): PayloadIssue[] {
  return [{ path: '', code: 'invalid_type', message }]
}
