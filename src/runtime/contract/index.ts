/**
 * The contract in code: schemas, types and validation of schema 1.0.0.
 *
 * @module
 */
export { isDateTime } from './date-time.ts'
export type { Component, Payload } from './generated/types.ts'
export type { PayloadIssue, PayloadIssueCode } from './issues.ts'
export {
  badgeSchema,
  buttonSchema,
  cardSchema,
  componentSchema,
  dateTimeSchema,
  dividerSchema,
  linkSchema,
  payloadSchema,
  textSchema,
} from './payload.ts'
export { isIconUrl, isLink, isUri } from './uri.ts'
export { validatePayload, type ValidationResult } from './validate.ts'
export type { Invalid, ValidateOptions } from './validation.ts'
export { SCHEMA_VERSION } from './version.ts'
