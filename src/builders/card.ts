import { MAX_ISSUES } from '../contract/issues.ts'
import type { Card } from '../contract/payload.ts'
import { componentIssues } from '../contract/walk.ts'
import { hasOnly, isObject, NO_FIELDS, setByBuilder, type UriOptions } from './arguments.ts'
import { childIssues } from './child-issues.ts'
import { type CardItem, isAbsent, present } from './children.ts'
import { type HeaderFields, headerOf, isHeader } from './header.ts'
import { refuse } from './invalid-component-error.ts'

/** The fields of a card. */
export interface CardFields {
  readonly header?: HeaderFields | undefined
  /** Any components but cards; `false`, `null`, `undefined`, `''` and `0` are dropped. */
  readonly components: readonly CardItem[]
}

/**
 * A group of related components.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example
 * card({
 *   header: { title: 'Plan' },
 *   components: [text({ label: 'Plan', value: account.plan })],
 * })
 *
 * @see docs/contract.md#card
 */
export function card(fields: CardFields, options?: UriOptions): Card {
  if (!isCard(fields, options)) judge(fields, options)
  const components = present(fields.components)
  return fields.header === undefined
    ? { type: 'card', components }
    : { type: 'card', header: headerOf(fields.header), components }
}

/** Children that builders made were judged there; the walk judges all of them in the end. */
function isCardChild(child: CardItem): boolean {
  if (!isObject(child)) return isAbsent(child)
  switch (child.type) {
    case 'text':
    case 'date_time':
    case 'badge':
    case 'button':
    case 'link':
    case 'divider':
      return true
    default:
      return false
  }
}

function isCard(fields: CardFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(fields, 'header', 'components') &&
    (fields.header === undefined || isHeader(fields.header, options)) &&
    Array.isArray(fields.components) &&
    areCardChildren(fields.components)
  )
}

function areCardChildren(children: readonly CardItem[]): boolean {
  for (const child of children) if (!isCardChild(child)) return false
  return true
}

function judge(fields: unknown, options: UriOptions | undefined): void {
  if (!isObject(fields)) refuse(card, 'card', [NO_FIELDS])
  const own: { components?: unknown } = { ...fields }
  const issues = 'type' in own ? [setByBuilder('type')] : []
  issues.push(
    ...componentIssues({ ...own, type: 'card', components: [] }, 'payload', options),
    ...childIssues(own.components, 'card', options),
  )
  if (issues.length > 0) refuse(card, 'card', issues.slice(0, MAX_ISSUES))
}
