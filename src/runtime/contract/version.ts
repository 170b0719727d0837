/**
 * The payload schema version that Sidecard emits.
 *
 * @example
 * const empty = { version: SCHEMA_VERSION, header: { title: 'Billing' }, components: [] }
 *
 * @see docs/contract.md#versioning
 */
export const SCHEMA_VERSION = '1.0.0'
