import type { Redact } from '../internal/create-redactor.ts'
import type { AttemptFailure, HttpResponse } from './attempt.ts'
import { readErrorBody } from './error-body.ts'
import { ApiError, type ClientError, createError, type NamedCall } from './errors.ts'
import type { ClientConfig } from './options.ts'
import { retryAfterMs } from './retry.ts'

/** Other values for the error. */
interface FailureContext {
  readonly config: ClientConfig
  readonly attempts: number
  /** Replaces the secrets of the request in texts from the API. */
  readonly redact: Redact
}

/** Creates the error of a call whose last attempt failed. */
export function toClientError(
  result: HttpResponse | AttemptFailure,
  call: NamedCall,
  { config, attempts, redact }: FailureContext,
): ClientError {
  if ('kind' in result) {
    const { kind, status, sent } = result
    const reason = redact(result.reason ?? '')
    return createError(kind, call, describeFailure(result, reason, call.method, config), {
      attempts: sent ? attempts : attempts - 1,
      ...(status !== undefined && { status }),
      reason: reason === '' ? undefined : reason,
    })
  }
  const { status, headers, body } = result
  const headerRequestId = headers.get('x-request-id') ?? undefined
  const { errors, requestId, text } = readErrorBody(body.text, headerRequestId, redact)
  const wait = retryAfterMs(headers, Date.now())
  const details = { attempts, status, requestId, retryAfterMs: wait }
  const problem = `the API returned ${status}${describeStatus(status, call.method, wait)}`
  return new ApiError(`${call.method} ${call.label}: ${problem}.`, details, text, errors)
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
  method: string,
  { baseUrl, timeoutMs }: ClientConfig,
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
      return `the connection to ${new URL(baseUrl).host} failed${shown}. Check baseUrl and the network${hint}${warning}`
    }
  }
}
