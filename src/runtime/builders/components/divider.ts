import type { Divider } from '../../contract/generated/types.ts'

/**
 * Creates a line between components. It has no fields.
 *
 * @example
 * card({ components: [text({ label: 'Plan', value: 'Pro' }), divider()] })
 *
 * @see docs/contract.md#divider
 */
export function divider(): Divider {
  return { type: 'divider' }
}
