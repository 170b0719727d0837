/**
 * Sidecard: custom sidebar apps for a customer-support issue service.
 *
 * @module
 */
export { type Auth, type AuthVerdict, noAuth, secretHeader } from './app/auth.ts'
export type { CacheKeyOf, CacheKeyPart } from './app/cache/cache-key.ts'
export type { CacheOptions } from './app/cache/cache-options.ts'
export { kvCache, type KvNamespace } from './app/cache/kv-cache.ts'
export { memoryCache, type MemoryCacheOptions } from './app/cache/memory-cache.ts'
export { redisCache, type RedisClient } from './app/cache/redis-cache.ts'
export { type KeyValueStorage, storageCache } from './app/cache/storage-cache.ts'
export {
  type AnswerPlace,
  answerStore,
  type CacheEntry,
  type CacheStore,
  type PlaceSource,
} from './app/cache/store.ts'
export type { FetchDataContext, RequestLog } from './app/context.ts'
export { AnswerError, type FaultKind } from './app/faults.ts'
export type { LogFields, Logger } from './internal/logger.ts'
export { NotAvailableError } from './app/not-available.ts'
export type { Limits, SidecardOptions } from './app/options.ts'
export { hmacSignature, type HmacSignatureOptions } from './app/hmac-signature.ts'
export type { Secrets, SecretSource } from './app/secrets.ts'
export { sidecard } from './app/sidecard.ts'
export { signQuery } from './app/signed-query.ts'
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
