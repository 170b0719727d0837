/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
export {
  badge,
  type BadgeFields,
  button,
  type ButtonFields,
  card,
  type CardFields,
  type CardItem,
  type Child,
  dateTime,
  type DateTimeFields,
  divider,
  type FetchDataResult,
  type HeaderFields,
  InvalidComponentError,
  isSection,
  link,
  type LinkFields,
  type Loaded,
  payload,
  type PayloadFields,
  section,
  type Section,
  type SectionOptions,
  text,
  type TextFields,
  type UriOptions,
} from './builders/index.ts'
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
