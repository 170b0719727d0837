import type { Badge, BadgeItem } from '../contract/generated/types.ts'
import { BADGE_COLORS } from '../contract/generated/vocabulary.ts'
import { isArray } from '../internal/hostile-values.ts'
import { assertValidFields, hasOnly, isObject } from './arguments.ts'

/** The fields of a badge component. */
export type BadgeFields = Omit<Badge, 'type' | 'items'> & {
  /** Any number of items. */
  readonly items: readonly BadgeItem[]
}

/**
 * Creates a label with any number of colored items. The service truncates a
 * value that is too long with an ellipsis.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example badge({ label: 'Status', items: [{ value: 'Active', color: 'green' }] })
 *
 * @see docs/contract.md#badge
 */
export function badge(fields: BadgeFields): Badge {
  if (!isBadge(fields)) assertValidFields({ call: badge, name: 'badge' }, 'badge', fields)
  const { label, items } = fields
  return { type: 'badge', label, items: copyItems(items) }
}

// Loops are faster than callbacks for so few items.
function copyItems(items: readonly BadgeItem[]): BadgeItem[] {
  const copies: BadgeItem[] = []
  for (const { value, color } of items) copies.push({ value, color })
  return copies
}

function isBadge(fields: unknown): boolean {
  return (
    isObject(fields) &&
    typeof fields['label'] === 'string' &&
    isArray(fields['items']) &&
    areItems(fields['items']) &&
    hasOnly(fields, 'label', 'items')
  )
}

function areItems(items: readonly unknown[]): boolean {
  for (const item of items) if (!isItem(item)) return false
  return true
}

function isItem(item: unknown): boolean {
  return (
    isObject(item) &&
    typeof item['value'] === 'string' &&
    BADGE_COLORS.includes(item['color'] as 'red') &&
    hasOnly(item, 'value', 'color')
  )
}
