import { validateComponent } from '../contract/encode.ts'
import type { Card, CardChild } from '../contract/generated/types.ts'
import { CARD_CHILD_TYPES } from '../contract/generated/vocabulary.ts'
import { isArray } from '../internal/hostile-values.ts'
import { hasOnly, isObject, pickFields, reservedFieldIssues } from './arguments.ts'
import { type CardItem, flattenItems, type Nested } from './children.ts'
import { copyHeader, type HeaderFields, isHeader, missingTitleIssues } from './header.ts'
import { throwInvalid } from './invalid-component-error.ts'
import { findItemIssues } from './item-issues.ts'

/**
 * A type for parameters only, not a component. It makes the compiler's error
 * about a nested card end in a sentence.
 */
export interface NestedCard extends Card {
  'A card cannot contain a card. Return it next to this one.': never
}

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
  const components = readComponents(fields) ?? assertValid(fields)
  return fields.header === undefined
    ? { type: 'card', components }
    : { type: 'card', header: copyHeader(fields.header), components }
}

/** Builders have validated the components; the app validates the whole payload. */
function readComponents(fields: unknown): CardChild[] | undefined {
  return isObject(fields) &&
    isArray(fields['components']) &&
    (fields['header'] === undefined || isHeader(fields['header'])) &&
    hasOnly(fields, 'header', 'components')
    ? flattenItems<CardChild>(fields['components'] as readonly CardItem[], CARD_CHILD_TYPES)
    : undefined
}

/** Throws the issues of the fields, or returns the components if there are none. */
function assertValid(fields: CardFields): CardChild[] {
  if (isArray(fields)) {
    const message = 'expects an object, got an array'
    const fix = 'Write card({ components: […] }).'
    return throwInvalid(card, 'card', [{ path: '', code: 'invalid_type', message, fix }], fields)
  }
  const builder = { call: card, name: 'card' }
  const picked = pickFields(builder, ['header', 'components'], fields)
  const { components } = picked
  const items = isArray(components) ? components : undefined
  const cardWithoutItems = {
    ...picked,
    type: 'card',
    components: items === undefined ? components : [],
  }
  const issues = [
    ...reservedFieldIssues(fields, 'type'),
    ...validateComponent(cardWithoutItems, 'payload'),
    ...missingTitleIssues(fields.header),
    ...findItemIssues(items ?? [], 'card'),
  ]
  if (issues.length > 0) throwInvalid(card, 'card', issues, picked)
  return flattenItems<CardChild>(fields.components as CardItem[], CARD_CHILD_TYPES) ?? []
}
