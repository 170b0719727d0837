import { buildPayload } from '../contract/generated/build.ts'
import type { Component, Payload } from '../contract/generated/types.ts'
import { type Absent, flattenItems, type Nested } from './children.ts'
import { hasTitle, type HeaderFields } from './header.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a payload. */
export interface PayloadFields {
  /** The title and icon of the widget. */
  readonly header: HeaderFields
  /**
   * Any components. `false`, `null`, `undefined`, `''` and `0` are dropped, and
   * nested arrays are flattened.
   */
  readonly components: readonly Nested<Component | Absent>[]
}

/**
 * Creates a whole payload, if an issue needs a different header from the app's.
 * Otherwise, return only components from `fetchData`.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example
 * payload({ header: { title: `Billing of ${account.name}` }, components: [divider()] })
 *
 * @see docs/contract.md#payload
 */
export function payload(fields: PayloadFields): Payload {
  const built = buildPayload(fields, flattenItems)
  return built !== undefined && hasTitle(built.header)
    ? built
    : rejectFields(payload, 'payload', 'payload', fields)
}
