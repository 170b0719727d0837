import { SidecardError } from '../errors.ts'

/**
 * Why a call of the API failed; the codes are stable. @see docs/client.md#errors
 *
 * - `invalid_options`, `invalid_parameter`, `url_too_long`: nothing was sent.
 * - `invalid_access_token`: there is no usable token; nothing was sent.
 * - `network_error`: no answer, or one that broke off.
 * - `timeout`, `aborted`: given up before the answer was complete.
 * - `redirect`: the API answered with a redirect, which is never followed.
 * - `api_error`: the API answered with a status other than 2xx.
 * - `invalid_response`: a 2xx answer that is not what the contract says.
 * - `response_too_large`: a body over 10 MB.
 * - `invalid_pagination`, `pagination_loop`, `too_many_pages`: a list that cannot be followed.
 */
export type ClientErrorCode =
  | 'invalid_options'
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

/** What is known of a call that failed. */
export interface ClientErrorDetails {
  /** How many requests were sent for this call. */
  readonly attempts?: number
  readonly status?: number
  readonly requestId?: string | undefined
  /** The system's name for a network failure, such as `ECONNRESET`. */
  readonly reason?: string | undefined
  /** How long the API asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

/** Every error of the client. No part of it holds the access token. */
export class ClientError extends SidecardError {
  override readonly name: string = 'ClientError'
  declare readonly code: ClientErrorCode
  readonly attempts: number
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly reason: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(code, message)
    this.attempts = details.attempts ?? 0
    this.status = details.status
    this.requestId = details.requestId
    this.reason = details.reason
    this.retryAfterMs = details.retryAfterMs
  }
}

/** One thing that the API says is wrong (A12). */
export interface ApiErrorItem {
  readonly message?: string
  readonly code?: string
}

/** The API answered with a status other than 2xx. */
export class ApiError extends ClientError {
  override readonly name = 'ApiError'
  declare readonly code: 'api_error'
  declare readonly status: number
  /** What the body says is wrong; empty when it says nothing that can be read (A12). */
  readonly errors: readonly ApiErrorItem[]
  /** The body as it came, at most 64 KiB of it. Not enumerable, so that it stays out of logs. */
  declare readonly body: string

  constructor(
    message: string,
    details: ClientErrorDetails & { readonly status: number },
    body: string,
    errors: readonly ApiErrorItem[],
  ) {
    super('api_error', message, details)
    this.errors = errors
    Object.defineProperty(this, 'body', { value: body })
  }
}
