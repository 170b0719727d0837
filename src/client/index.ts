/**
 * A typed client of the service's API.
 *
 * @module
 * @see docs/client.md
 */
export type { ApiCall, ApiResponse } from './api-call.ts'
export type { Clock } from './clock.ts'
export { type Client, createClient, type CreateTask, type RequestOptions } from './create-client.ts'
export type { Page } from './envelope.ts'
export {
  ApiError,
  type ApiErrorItem,
  ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from './errors.ts'
export type { ListCall, ListOptions, ToArrayOptions } from './list-call.ts'
export type { CallOptions, ClientOptions, Fetch } from './options.ts'
export type { Query, QueryValue } from './query.ts'
export type { RetryOptions } from './retry.ts'
export { isSidecardError, SidecardError } from '../internal/errors.ts'
export type {
  KnowledgeBase,
  Message,
  Pagination,
  Tag,
  Task,
  Team,
  TicketForm,
  TicketFormField,
  User,
  UserRole,
} from '../contract/resources.ts'
