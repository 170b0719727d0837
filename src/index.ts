/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
export { isSidecardError, SidecardError } from './errors.ts'
export type { PayloadIssue, PayloadIssueCode } from './contract/issues.ts'
export type {
  Badge,
  BadgeColor,
  BadgeItem,
  Button,
  Card,
  CardChild,
  Component,
  DateTime,
  Divider,
  Header,
  Link,
  Payload,
  Text,
} from './contract/payload.ts'
export {
  validatePayload,
  type ValidateOptions,
  type ValidationResult,
} from './contract/validate.ts'
export { SCHEMA_VERSION } from './contract/version.ts'
