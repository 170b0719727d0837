import type { AttemptFailure, HttpResponse, Sent } from './attempt.ts'
import { readErrorBody } from './error-body.ts'
import { ApiError, type ClientError, createError, type NamedCall } from './errors.ts'
import type { ClientConfig } from './options.ts'
import { retryAfterMs } from './retry.ts'

/** Creates the error of a call whose last attempt failed. */
export function toClientError(
  result: (HttpResponse | AttemptFailure) & Sent,
  call: NamedCall,
  config: ClientConfig,
): ClientError {
  const { attempts, redact, status } = result
  if ('kind' in result) {
    const reason = result.reason && redact(result.reason)
    return createError(result.kind, call, describeFailure(result, reason, call.method, config), {
      attempts: result.sent ? attempts : attempts - 1,
      status,
      reason,
    })
  }
  const { headers, body } = result
  const wait = retryAfterMs(headers, Date.now())
  const { errors, requestId: id = headers.get('x-request-id') } = readErrorBody(body.text, redact)
  const requestId = id === null ? undefined : redact(id)
  const details = { attempts, status: result.status, requestId, retryAfterMs: wait, errors }
  const problem = `the API returned ${result.status}${describeStatus(result.status, call.method, wait)}`
  const message = `${call.method} ${call.label}: ${problem}.`
  return new ApiError(message, details, redact(body.text))
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

/**
 * The codes of failures before the connection, after which the request cannot have
 * been processed.
 */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

const PROXY_HINT = '. Behind a proxy, set HTTPS_PROXY, and on Node also NODE_USE_ENV_PROXY=1'

function describeFailure(
  { kind, sent }: AttemptFailure,
  reason = '',
  method: string,
  { baseUrl, timeoutMs }: ClientConfig,
): string {
  const isSafe = isRead(method) || !sent || NOT_CONNECTED.test(reason)
  const warning = isSafe ? '' : MAYBE_PROCESSED
  if (kind === 'timeout') return `no complete response within ${timeoutMs} ms${warning}`
  if (kind === 'aborted') return `aborted${warning}`
  if (kind === 'redirect') {
    return 'the API returned a redirect, which the client does not follow. Check baseUrl'
  }
  const shown = reason === '' ? '' : ` (${reason})`
  const hint = NOT_CONNECTED.test(reason) && reason !== 'ECONNREFUSED' ? PROXY_HINT : ''
  return `the connection to ${new URL(baseUrl).host} failed${shown}. Check baseUrl and the network${hint}${warning}`
}
