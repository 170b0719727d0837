import type { Redact } from '../internal/create-redactor.ts'
import type { AttemptFailure, HttpResponse } from './attempt.ts'
import { readErrorBody } from './error-body.ts'
import { createError, formatMessage, type NamedCall } from './create-error.ts'
import { ApiError, type ClientError } from './errors.ts'
import { retryAfterMs } from './retry.ts'

/** The parts of a failed call that its error contains. */
interface FailedCall extends NamedCall {
  readonly timeoutMs: number
}

/** Other values for the error. */
interface FailureContext {
  /** The host of the base URL. */
  readonly host: string
  readonly attempts: number
  readonly now: number
  /** Replaces the secrets of the request in texts from the API. */
  readonly redact: Redact
}

/** Creates the error of a call whose last attempt failed. */
export function toClientError(
  result: HttpResponse | AttemptFailure,
  call: FailedCall,
  { host, attempts, now, redact }: FailureContext,
): ClientError {
  if ('kind' in result) {
    const { kind, status, reason, sent } = result
    const shown = redact(reason ?? '')
    return createError(kind, call, describeFailure(result, shown, call, host), {
      attempts: sent ? attempts : attempts - 1,
      ...(status !== undefined && { status }),
      reason: shown === '' ? undefined : shown,
    })
  }
  const { status, headers, body } = result
  const headerRequestId = headers.get('x-request-id') ?? undefined
  const { errors, requestId, text } = readErrorBody(body.text, headerRequestId, redact)
  const wait = retryAfterMs(headers, now)
  const details = { attempts, status, requestId, retryAfterMs: wait }
  const message = formatMessage(
    call,
    `the API returned ${status}${describeStatus(status, call.method, wait)}`,
  )
  return new ApiError(message, details, text, errors)
}

function describeStatus(status: number, method: string, wait: number | undefined): string {
  if (status === 401) return '. Check accessToken'
  if (!isRead(method) && (status === 408 || status >= 500)) return MAYBE_PROCESSED
  return wait === undefined || wait === 0 ? '' : `. Retry after ${Math.ceil(wait / 1_000)} s`
}

const MAYBE_PROCESSED = '. The request may have been processed: check before retrying'

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Codes of failures before the connection, after which the request cannot have been processed. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

const PROXY_HINT = '. Behind a proxy, set HTTPS_PROXY, and on Node also NODE_USE_ENV_PROXY=1'

function describeFailure(
  { kind, sent }: AttemptFailure,
  reason: string,
  { method, timeoutMs }: FailedCall,
  host: string,
): string {
  const isSafe = isRead(method) || !sent || NOT_CONNECTED.test(reason)
  const warning = isSafe ? '' : MAYBE_PROCESSED
  switch (kind) {
    case 'timeout':
      return `no complete response within ${timeoutMs} ms${warning}`
    case 'aborted':
      return `aborted${warning}`
    case 'redirect':
      return 'the API returned a redirect, which the client does not follow. Check baseUrl'
    default: {
      const shown = reason === '' ? '' : ` (${reason})`
      const hint = NOT_CONNECTED.test(reason) && reason !== 'ECONNREFUSED' ? PROXY_HINT : ''
      return `the connection to ${host} failed${shown}. Check baseUrl and the network${hint}${warning}`
    }
  }
}
