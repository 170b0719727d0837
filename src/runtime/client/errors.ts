import { SidecardError } from '../internal/errors.ts'

/**
 * The reason why an API call failed. The codes are stable. @see
 * docs/client.md#errors
 *
 * - `invalid_parameter`, `url_too_long`: nothing was sent.
 * - `invalid_access_token`: the token is missing or invalid in a header; nothing
 * was sent.
 * - `network_error`: no response, or an incomplete one.
 * - `timeout`, `aborted`: ended before the response was complete.
 * - `redirect`: the API returned a redirect, which the client does not follow.
 * - `api_error`: the API returned a status other than 2xx.
 * - `invalid_response`: a 2xx response that violates the contract.
 * - `response_too_large`: the body exceeds 10 MB.
 * - `invalid_pagination`, `pagination_loop`, `too_many_pages`: a list whose pages
 * cannot be fetched completely.
 */
export type ClientErrorCode =
  | 'invalid_parameter'
  | 'url_too_long'
  | 'invalid_access_token'
  | 'network_error'
  | 'timeout'
  | 'aborted'
  | 'redirect'
  | 'api_error'
  | 'invalid_response'
  | 'response_too_large'
  | 'invalid_pagination'
  | 'pagination_loop'
  | 'too_many_pages'

/** Details of a failed call. */
export type ClientErrorDetails = Partial<
  Pick<ClientError, 'attempts' | 'status' | 'requestId' | 'reason' | 'retryAfterMs'>
>

/**
 * An error of the client. No part of it contains the access token.
 *
 * @example
 * try {
 *   await client.users.list()
 * } catch (error) {
 *   if (error instanceof ClientError && error.code === 'timeout') console.warn('The API is slow.')
 * }
 */
export class ClientError extends SidecardError {
  override readonly name: string = 'ClientError'
  declare readonly code: ClientErrorCode
  /** The number of requests that were sent for this call. */
  readonly attempts: number = 0
  readonly status: number | undefined = undefined
  readonly requestId: string | undefined = undefined
  /** The system's code for a network failure, such as `ECONNRESET`. */
  readonly reason: string | undefined = undefined
  /** The delay that the API requested, in milliseconds. */
  readonly retryAfterMs: number | undefined = undefined

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(code, message)
    Object.assign(this, details)
  }
}

/** One error that the API reports (A12). */
export interface ApiErrorItem {
  readonly message?: string
  readonly code?: string
}

/**
 * The error of a call to which the API returned a status other than 2xx.
 *
 * @example
 * try {
 *   await client.tasks.create({ title: 'Call Northwind' })
 * } catch (error) {
 *   if (error instanceof ApiError && error.status === 422) console.warn(error.errors)
 * }
 */
export class ApiError extends ClientError {
  override readonly name = 'ApiError'
  declare readonly code: 'api_error'
  declare readonly status: number
  /** The errors in the body. Empty if there are none in a known format (A12). */
  declare readonly errors: readonly ApiErrorItem[]
  /**
   * The raw body, at most 64 KiB, with secrets replaced. It is not enumerable, so
   * that loggers omit it.
   */
  declare readonly body: string

  constructor(
    message: string,
    details: ClientErrorDetails & Pick<ApiError, 'status' | 'errors'>,
    body: string,
  ) {
    super('api_error', message, details)
    Object.defineProperty(this, 'body', { value: body })
  }
}

/** The method and path of a call for messages, without IDs. */
export interface NamedCall {
  readonly method: string
  /** The path, such as `/issues/{id}/messages/{message_id}/redact`. */
  readonly label: string
}

/** Creates an error that names the method and the path of a call. */
export function createError(
  code: ClientErrorCode,
  { method, label }: NamedCall,
  problem: string,
  details: ClientErrorDetails = {},
): ClientError {
  return new ClientError(code, `${method} ${label}: ${problem}.`, details)
}
