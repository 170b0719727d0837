import type { Divider } from '../contract/payload.ts'

/** A line between components; it has no fields. @see docs/contract.md#divider */
export function divider(): Divider {
  return { type: 'divider' }
}
