/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
// Bundlers keep this order: with the builders first, a Worker is 190 bytes smaller when compressed.
export {
  badge,
  button,
  calendarDate,
  dayOf,
  card,
  type CardItem,
  type Child,
  dateTime,
  divider,
  type FetchDataResult,
  fields,
  type FieldValue,
  InvalidComponentError,
  link,
  type LoadSection,
  localized,
  type LocalizedHelpers,
  money,
  payload,
  type PayloadOfChildren,
  type Section,
  type SectionContent,
  type FieldsInput,
  status,
  text,
} from './builders/index.ts'
export type { Actions } from './app/action-support.ts'
export { audit, type AuditRecord } from './app/audit.ts'
export { type Auth, type AuthResult, noAuth, secretHeader } from './app/auth.ts'
export type { DefaultBindings } from './app/bindings.ts'
export type { FetchDataContext, RequestLog } from './app/context.ts'
export { PayloadError } from './app/errors.ts'
export { healthCheck, type HealthReport } from './app/health-check.ts'
export { identify, type IdentifyContext } from './app/identify.ts'
export type { LookupMap, Identified, IdentifyOptions, Lookups } from './app/identify-types.ts'
export type { Instrument, ResponseRecord } from './app/instrument.ts'
export type { Messages } from './app/messages.ts'
export type { FailureInfo, SidecardOptions } from './app/options.ts'
export type { Secret } from './app/secrets.ts'
export { section, type SectionOptions } from './app/section.ts'
export { serverTiming } from './app/server-timing.ts'
export { sidecard, type SidecardApp } from './app/sidecard.ts'
export { isSidecardError, SidecardError } from './internal/errors.ts'
export type { FetchDataParams } from './contract/parameters.ts'
export type { PayloadIssue, PayloadIssueCode } from './contract/issues.ts'
export type {
  Badge,
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
} from './contract/generated/types.ts'
export type { BadgeColor } from './contract/generated/vocabulary.ts'
export { validatePayload } from './contract/validate.ts'
export type { FailureKind } from './internal/failure-header.ts'
export type { LogFields, Logger } from './internal/logger.ts'
