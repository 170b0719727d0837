/** The payload schema version that Sidecard emits. @see docs/contract.md#versioning */
export const SCHEMA_VERSION = '1.0.0'
