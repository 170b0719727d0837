import { encodePayload } from '../contract/encode.ts'
import type { Component, Payload } from '../contract/generated/types.ts'
import { COMPONENT_TYPES } from '../contract/generated/vocabulary.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { isArray } from '../internal/hostile-values.ts'
import { hasOnly, isObject, pickFields, reservedFieldIssues } from './arguments.ts'
import { type Absent, flattenItems, type Nested } from './children.ts'
import { copyHeader, type HeaderFields, isHeader, missingTitleIssues } from './header.ts'
import { throwInvalid } from './invalid-component-error.ts'
import { findItemIssues } from './item-issues.ts'

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
 * Creates a whole payload, if an issue needs another header than the app's.
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
  const components = readComponents(fields) ?? assertValid(fields)
  return { version: SCHEMA_VERSION, header: copyHeader(fields.header), components }
}

/** Builders have validated the components; the app validates the whole payload. */
function readComponents(fields: unknown): Component[] | undefined {
  return isObject(fields) &&
    isArray(fields['components']) &&
    isHeader(fields['header']) &&
    hasOnly(fields, 'header', 'components')
    ? flattenItems<Component>(fields['components'] as readonly Component[], COMPONENT_TYPES)
    : undefined
}

/** Throws the issues of the fields, or returns the components if there are none. */
function assertValid(fields: PayloadFields): Component[] {
  const builder = { call: payload, name: 'payload' }
  const picked = pickFields(builder, ['header', 'components'], fields)
  const { components } = picked
  const items = isArray(components) ? components : undefined
  const ownFields = { version: SCHEMA_VERSION, components: items === undefined ? components : [] }
  const result = encodePayload({ ...picked, ...ownFields })
  const issues = [
    ...reservedFieldIssues(fields, 'version'),
    ...(result.ok ? [] : result.issues),
    ...missingTitleIssues(fields.header),
    ...findItemIssues(items ?? [], 'payload'),
  ]
  if (issues.length > 0) throwInvalid(payload, 'payload', issues, picked)
  return flattenItems<Component>(fields.components, COMPONENT_TYPES) ?? []
}
