/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
export type { Actions } from './app/action-support.ts'
export {
  type ActionAuditRecord,
  audit,
  type AuditRecord,
  type DataFetchAuditRecord,
} from './app/audit.ts'
export { type Auth, type AuthResult, noAuth, secretHeader } from './app/auth.ts'
export type { DefaultBindings } from './app/bindings.ts'
export type { FetchDataContext, RequestLog } from './app/context.ts'
export { DesignedCardError, type DesignedOutcome, NotAvailableError } from './app/designed-card.ts'
export { IdentityError, PayloadError } from './app/errors.ts'
export {
  healthCheck,
  type HealthCheckOptions,
  type HealthReport,
  type SourceCheck,
} from './app/health-check.ts'
export { identify, type IdentifyContext } from './app/identify.ts'
export type {
  ById,
  CandidateDescription,
  Identified,
  IdentifyOptions,
  Lookup,
  LookupKey,
  Lookups,
  MatchOf,
  ReplacementCard,
} from './app/identify-types.ts'
export type {
  ActionRecord,
  Instrument,
  InstrumentContext,
  ResponseRecord,
  SpanName,
  SpanRecord,
} from './app/instrument.ts'
export type { Messages } from './app/messages.ts'
export type { FailureInfo, Limits, MessageOptions, SidecardOptions } from './app/options.ts'
export type { SecretBinding, Secrets, SecretSource } from './app/secrets.ts'
export { section, type SectionOptions } from './app/section.ts'
export { serverTiming, type ServerTimingOptions } from './app/server-timing.ts'
export { sidecard, type SidecardApp } from './app/sidecard.ts'
export {
  type Absent,
  badge,
  type BadgeFields,
  button,
  type ButtonFields,
  calendarDate,
  dayOf,
  card,
  type CardFields,
  type CardItem,
  dateTime,
  type DateTimeFields,
  divider,
  type FetchDataItem,
  type FetchDataResult,
  type FieldPairs,
  fields,
  type FieldsOptions,
  type FieldValue,
  type HeaderFields,
  InvalidComponentError,
  isSection,
  link,
  type LinkFields,
  type LoadSection,
  type MajorUnits,
  money,
  type Nested,
  type NestedCard,
  payload,
  type PayloadFields,
  type Section,
  type SectionContent,
  type Showable,
  status,
  text,
  type TextFields,
} from './builders/index.ts'
export { isSidecardError, SidecardError } from './internal/errors.ts'
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
export { validatePayload, type ValidationResult } from './contract/validate.ts'
export type { Invalid, ValidateOptions } from './contract/validation.ts'
export { SCHEMA_VERSION } from './contract/version.ts'
export type { FailureKind } from './internal/failure-header.ts'
export type { LogFields, Logger } from './internal/logger.ts'
