import { MAX_ISSUES } from '../contract/issues.ts'
import type { Component, Payload } from '../contract/payload.ts'
import { SCHEMA_VERSION } from '../contract/version.ts'
import { encodePayload } from '../contract/walk.ts'
import { hasOnly, isObject, NO_FIELDS, setByBuilder, type UriOptions } from './arguments.ts'
import { childIssues } from './child-issues.ts'
import { type Absent, isAbsent, present } from './children.ts'
import { type HeaderFields, headerOf, isHeader } from './header.ts'
import { refuse } from './invalid-component-error.ts'

/** The fields of a payload. */
export interface PayloadFields {
  readonly header: HeaderFields
  /** Any components; `false`, `null`, `undefined`, `''` and `0` are dropped. */
  readonly components: readonly (Component | Absent)[]
}

/**
 * A whole answer, for when one issue needs another header than the app's own;
 * otherwise `fetchData` returns the components alone.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example
 * payload({ header: { title: `Billing of ${account.name}` }, components: [divider()] })
 *
 * @see docs/contract.md#payload
 */
export function payload(fields: PayloadFields, options?: UriOptions): Payload {
  if (!isPayload(fields, options)) judge(fields, options)
  const { header, components } = fields
  return {
    version: SCHEMA_VERSION,
    header: headerOf(header),
    components: present(components),
  }
}

function isPayload(fields: PayloadFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(fields, 'header', 'components') &&
    isHeader(fields.header, options) &&
    Array.isArray(fields.components) &&
    fields.components.every(isComponent)
  )
}

/** Components that builders made were judged there; the walk judges all of them in the end. */
function isComponent(child: Component | Absent): boolean {
  if (!isObject(child)) return isAbsent(child)
  switch (child.type) {
    case 'card':
    case 'text':
    case 'date_time':
    case 'badge':
    case 'button':
    case 'link':
    case 'divider':
      return true
    default:
      return false
  }
}

function judge(fields: unknown, options: UriOptions | undefined): void {
  if (!isObject(fields)) refuse(payload, 'payload', [NO_FIELDS])
  const own: { components?: unknown } = { ...fields }
  const issues = 'version' in own ? [setByBuilder('version')] : []
  const rest = encodePayload({ ...own, version: SCHEMA_VERSION, components: [] }, options)
  if (!rest.ok) issues.push(...rest.issues)
  issues.push(...childIssues(own.components, 'payload', options))
  if (issues.length > 0) refuse(payload, 'payload', issues.slice(0, MAX_ISSUES))
}
