import { buildCard } from '../../contract/generated/build.ts'
import type { Card } from '../../contract/generated/types.ts'
import { type CardItem, flattenItems, type Nested, type NestedCard } from './children.ts'
import { hasTitle, type HeaderFields } from './header.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a card. */
export interface CardFields {
  /** The title and icon of the card. */
  readonly header?: HeaderFields | undefined
  /**
   * Any components except cards. `false`, `null`, `undefined`, `''` and `0` are
   * dropped, and nested arrays are flattened.
   */
  readonly components: readonly Nested<CardItem | NestedCard>[]
}

/**
 * Creates a group of related components.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example
 * card({
 *   header: { title: 'Plan' },
 *   components: [text({ label: 'Plan', value: account.plan })],
 * })
 *
 * @see docs/contract.md#card
 */
export function card(fields: CardFields): Card {
  const built = buildCard(fields, flattenItems)
  return built !== undefined && hasTitle(built.header)
    ? built
    : rejectFields(card, 'card', 'card', fields)
}
