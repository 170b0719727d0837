import type { Redact } from '../internal/create-redactor.ts'
import { isRecord } from '../internal/read-options.ts'
import { tryJson } from '../internal/try-json.ts'
import type { AttemptFailure, HttpResponse, Sent } from './attempt.ts'
import {
  ApiError,
  type ClientError,
  createError,
  type NamedCall,
  type ApiErrorItem,
} from './errors.ts'
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
    const { kind, sent } = result
    const problem = describeFailure(kind, config, reason) + warnAfterWrite(call.method, result)
    const details = { attempts: sent ? attempts : attempts - 1, status, reason }
    return createError(kind, call, problem, details)
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

function describeStatus(status: number, method: string, waitMs = 0): string {
  if (status === 401) return '. Check accessToken'
  const wait = waitMs === 0 ? '' : `. Retry after ${Math.ceil(waitMs / 1_000)} s`
  return warnAfterWrite(method, { sent: true, status }) || wait
}

/**
 * Returns the warning that the API may have processed a write. Every error after an
 * attempt ends with it. It is empty after a read, if the request was not sent, and if
 * the API rejected it with a 4xx status.
 */
export function warnAfterWrite(
  method: string,
  { sent, status = 0, reason = '' }: Pick<AttemptFailure, 'sent' | 'status' | 'reason'>,
): string {
  const isRead = method === 'GET' || method === 'HEAD'
  const isRejected = status >= 400 && status < 500 && status !== 408
  if (isRead || !sent || isRejected || NOT_CONNECTED.test(reason)) return ''
  return '. The request may have been processed: check before retrying'
}

/**
 * The codes of failures before the connection, after which the request cannot have
 * been processed.
 */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

const PROXY_HINT = '. Behind a proxy, set HTTPS_PROXY, and on Node also NODE_USE_ENV_PROXY=1'

function describeFailure(kind: string, { baseUrl, timeoutMs }: ClientConfig, reason = ''): string {
  if (kind === 'timeout') return `no complete response within ${timeoutMs} ms`
  if (kind === 'aborted') return 'aborted'
  if (kind === 'redirect') {
    return 'the API returned a redirect, which the client does not follow. Check baseUrl'
  }
  const shown = reason === '' ? '' : ` (${reason})`
  const hint = NOT_CONNECTED.test(reason) && reason !== 'ECONNREFUSED' ? PROXY_HINT : ''
  return `the connection to ${new URL(baseUrl).host} failed${shown}. Check baseUrl and the network${hint}`
}

const MAX_ITEMS = 20

/**
 * Reads `errors[]`, `error`, `message`, `code` and `request_id` from the body of a
 * failed call, if they have the expected types. Other fields are ignored (A12).
 *
 * @param redact replaces secrets in the texts, after parsing has decoded their
 * escapes
 */
function readErrorBody(text: string, redact: Redact) {
  const parsed = tryJson(text)
  const body = isRecord(parsed) ? parsed : {}
  const listed = Array.isArray(body['errors']) ? body['errors'].slice(0, MAX_ITEMS) : []
  const errors = [...listed, body['error'], body].flatMap((item) => readItem(item, redact))
  return { requestId: toText(body['request_id']), errors: errors.slice(0, MAX_ITEMS) }
}

function readItem(item: unknown, redact: Redact): ApiErrorItem[] {
  const { message, code: given } = isRecord(item) ? item : { message: item }
  const text = toText(message)
  const code = toText(typeof given === 'number' ? String(given) : given)
  if (text === undefined && code === undefined) return []
  return [{ ...(text && { message: redact(text) }), ...(code && { code: redact(code) }) }]
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
