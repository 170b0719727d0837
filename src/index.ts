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
  dateAndTime,
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
  toMajorUnits,
  toMinorUnits,
  payload,
  type PayloadOfChildren,
  type Section,
  type SectionContent,
  type FieldsInput,
  status,
  text,
} from './runtime/builders/index.ts'
export type { Actions } from './runtime/app/action-support.ts'
export { audit, type AuditRecord } from './runtime/app/observe/audit.ts'
export { type Auth, type AuthResult, noAuth, secretHeader } from './runtime/app/request/auth.ts'
export type { DefaultBindings } from './runtime/app/request/bindings.ts'
export type { FetchDataContext, RequestLog } from './runtime/app/request/context.ts'
export { PayloadError } from './runtime/app/errors.ts'
export { healthCheck, type HealthReport } from './runtime/app/health-check.ts'
export { identify, type IdentifyContext } from './runtime/app/identify/identify.ts'
export type {
  LookupMap,
  Identified,
  IdentifyOptions,
  Lookups,
} from './runtime/app/identify/identify-types.ts'
export type { Instrument, ResponseRecord } from './runtime/app/observe/instrument.ts'
export type { Messages } from './runtime/app/messages.ts'
export type { FailureInfo, SidecardOptions } from './runtime/app/options.ts'
export type { Secret } from './runtime/app/request/secrets.ts'
export { section, type SectionOptions } from './runtime/app/sections/section.ts'
export { serverTiming } from './runtime/app/observe/server-timing.ts'
export { sidecard, type SidecardApp } from './runtime/app/sidecard.ts'
export { isSidecardError, SidecardError } from './runtime/internal/errors.ts'
export type { FetchDataParams } from './runtime/contract/parameters.ts'
export type { PayloadIssue, PayloadIssueCode } from './runtime/contract/issues.ts'
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
} from './runtime/contract/generated/types.ts'
export type { BadgeColor } from './runtime/contract/generated/vocabulary.ts'
export { validatePayload } from './runtime/contract/validate.ts'
export type { FailureKind } from './runtime/internal/failure-header.ts'
export type { LogFields, Logger } from './runtime/internal/logger.ts'
