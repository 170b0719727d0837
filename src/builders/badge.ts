import type { Badge, BadgeItem } from '../contract/payload.ts'
import { hasOnly, isString, judge } from './arguments.ts'

/** The fields of a badge component. */
export type BadgeFields = Omit<Badge, 'type' | 'items'> & {
  /** Any number of them, none included. */
  readonly items: readonly BadgeItem[]
}

/**
 * A label with any number of coloured items. The service cuts a value that is
 * too long with an ellipsis.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example badge({ label: 'Status', items: [{ value: 'Active', color: 'green' }] })
 *
 * @see docs/contract.md#badge
 */
export function badge(fields: BadgeFields): Badge {
  if (!isBadge(fields)) judge(badge, 'badge', fields)
  const { label, items } = fields
  return { type: 'badge', label, items: copyOf(items) }
}

// Loops here and below: for so few entries, callbacks cost more than the work.
function copyOf(items: readonly BadgeItem[]): BadgeItem[] {
  const copies: BadgeItem[] = []
  for (const { value, color } of items) copies.push({ value, color })
  return copies
}

function isBadge(fields: BadgeFields): boolean {
  return (
    hasOnly(fields, 'label', 'items') &&
    isString(fields.label) &&
    Array.isArray(fields.items) &&
    areItems(fields.items)
  )
}

function areItems(items: readonly BadgeItem[]): boolean {
  for (const item of items) if (!isItem(item)) return false
  return true
}

function isItem(item: BadgeItem): boolean {
  return hasOnly(item, 'value', 'color') && isString(item.value) && isColor(item.color)
}

function isColor(color: BadgeItem['color']): boolean {
  switch (color) {
    case 'blue':
    case 'green':
    case 'red':
    case 'orange':
    case 'gray':
      return true
    default:
      return false
  }
}
