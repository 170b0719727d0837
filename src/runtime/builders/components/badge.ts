import { buildBadge } from '../../contract/generated/build.ts'
import type { Badge, BadgeItem } from '../../contract/generated/types.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a badge component. */
export type BadgeFields = Omit<Badge, 'type' | 'items'> & {
  /** Any number of items. */
  readonly items: readonly BadgeItem[]
}

/**
 * Creates a label with any number of colored items. The service truncates long
 * values with an ellipsis.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example badge({ label: 'Status', items: [{ value: 'Active', color: 'green' }] })
 *
 * @see docs/contract.md#badge
 */
export function badge(fields: BadgeFields): Badge {
  return buildBadge(fields) ?? rejectFields(badge, 'badge', 'badge', fields)
}
