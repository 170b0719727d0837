/**
 * A typed client of the service's API.
 *
 * @module
 * @see docs/client.md
 */
export type { Fetch } from './attempt.ts'
export { type Client, createClient, type CreateTask } from './create-client.ts'
export type { Page } from './envelope.ts'
export { ApiError, type ApiErrorItem, ClientError, type ClientErrorCode } from './errors.ts'
export type { ListCall } from './list-call.ts'
export type { ClientOptions } from './options.ts'
export { isSidecardError, SidecardError } from '../internal/errors.ts'
export type {
  KnowledgeBase,
  Message,
  Tag,
  Task,
  Team,
  TicketForm,
  User,
  UserRole,
} from '../contract/resources.ts'
