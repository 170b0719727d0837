/**
 * The contract in code: schemas, types and validation of schema 1.0.0.
 *
 * @module
 */
export { isDateTime } from './date-time.ts'
export { isUri } from './uri.ts'
export { SCHEMA_VERSION } from './version.ts'
