import { buildPayload } from '../../contract/generated/build.ts'
import type { Child, PayloadOfChildren } from './child.ts'
import { flattenItems, isPending } from './children.ts'
import { hasTitle, type HeaderFields } from './header.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a payload. */
export interface PayloadFields {
  /** The title and icon of the widget. */
  readonly header: HeaderFields
  /**
   * Components, sections, promises and arrays of them, at any depth. `false`,
   * `null`, `undefined`, `''` and `0` are dropped.
   */
  readonly components: readonly Child[]
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
export function payload(fields: PayloadFields): PayloadOfChildren {
  const built = buildPayload(fields, (items, types) => flattenItems(items, types, isPending))
  return built !== undefined && hasTitle(built.header)
    ? built
    : rejectFields(payload, 'payload', 'payload', fields)
}
