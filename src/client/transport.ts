import type { Redact } from '../internal/redact.ts'
import { writeLog } from '../internal/logger.ts'
import { attempt, type Incoming, type NoAnswer, type Outgoing } from './attempt.ts'
import { readErrorBody } from './error-body.ts'
import { hideTokens } from './hide-tokens.ts'
import { ApiError, ClientError, type ClientErrorDetails } from './errors.ts'
import { type CallOptions, checkTimeout, type ClientConfig } from './options.ts'
import { backOffMs, isRetryableStatus, MAX_RETRY_AFTER_MS, retryAfterMs } from './retry.ts'

/** A call before it is sent. */
export interface Call extends CallOptions {
  readonly method: string
  /** Without ids, such as `/issues/{id}/messages/{message_id}/redact`. */
  readonly label: string
  /** Below the base address, each segment encoded. */
  readonly path: string
  /** Encoded, without the question mark. */
  readonly query: string
  /** Sent as JSON. */
  readonly json?: unknown
}

/** A successful answer, and how many requests it took. */
export interface Answer extends Incoming {
  readonly attempts: number
  /** Hides the access token, for what is kept of an answer that cannot be used. */
  readonly hide: Redact
}

/** Servers answer 431 to longer ones: Node's limit for URL and headers is 16 KB. */
const MAX_URL_BYTES = 16_000
const LONG_URL_BYTES = 8_000

/**
 * Sends a call, tries it again where that is safe, and turns every failure into
 * one of the client's errors. Our own rather than a library's: the time covers
 * the body, the body has a limit, and the clock is the caller's; no library at
 * hand has all three.
 */
export async function send(call: Call, config: ClientConfig): Promise<Answer> {
  const { clock, retry } = config
  const outgoing = prepare(call, config)
  if (outgoing.signal?.aborted) {
    throw failure('aborted', outgoing, 'it was aborted before anything was sent', {})
  }
  const tokens = new Set<string>()
  const hide: Redact = (text) => hideTokens(tokens, text)
  const authorize = async () => {
    const token = await accessToken(config)
    tokens.add(token)
    outgoing.headers.set('authorization', `Bearer ${token}`)
  }
  for (let attempts = 1; ; attempts += 1) {
    /* oxlint-disable no-await-in-loop -- each attempt depends on the one before */
    const startedAt = clock.now()
    const result = await attempt(outgoing, authorize, config)
    log(outgoing, result, attempts, clock.now() - startedAt, config)
    if ('status' in result && 'body' in result && isSuccess(result)) {
      if (!result.body.isCut) return { ...result, attempts, hide }
      throw failure('response_too_large', outgoing, 'the body has more than 10 MB', {
        attempts,
        status: result.status,
      })
    }
    const wait =
      attempts > retry.maxRetries
        ? undefined
        : waitBeforeRetry(result, outgoing.method, attempts - 1, config)
    if (wait === undefined) throw errorOf(result, outgoing, attempts, hide, config)
    await clock.sleep(wait, outgoing.signal ?? new AbortController().signal).catch(() => {
      throw failure('aborted', outgoing, 'it was aborted while waiting to try again', { attempts })
    })
    /* oxlint-enable no-await-in-loop */
  }
}

function prepare(call: Call, config: ClientConfig): Outgoing {
  const { method, label, json } = call
  const timeoutMs = call.timeoutMs ?? config.timeoutMs
  checkTimeout(timeoutMs)
  const url = `${config.baseUrl}${call.path}${call.query === '' ? '' : `?${call.query}`}`
  if (url.length > MAX_URL_BYTES) {
    const problem = `its URL would have ${url.length} bytes, and servers refuse more than ${MAX_URL_BYTES}. Shorten the longest field`
    throw failure('url_too_long', call, problem, {})
  }
  if (url.length >= LONG_URL_BYTES && config.logger !== undefined) {
    writeLog(config.logger, 'warn', {
      msg: 'sidecard client: long URL',
      operation: label,
      bytes: url.length,
    })
  }
  const signals = [config.signal, call.signal].filter((signal) => signal !== undefined)
  return {
    method,
    label,
    url,
    headers: headersOf(call, config),
    body: json === undefined ? undefined : writeJson(json),
    timeoutMs,
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
  }
}

/** What has no JSON is refused: a cycle, a BigInt, a function. */
function writeJson(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // The runtime's own message may quote the value.
  }
  if (text !== undefined) return text
  throw new ClientError('invalid_parameter', 'The body must be something that JSON can write.')
}

function headersOf(call: Call, config: ClientConfig): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (call.json !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries({ ...config.headers, ...call.headers })) {
    try {
      headers.set(name, value)
    } catch {
      // The runtime's own message would quote the value.
      throw new ClientError(
        'invalid_options',
        'headers: a name or a value cannot be sent in a header.',
      )
    }
  }
  return headers
}

async function accessToken(config: ClientConfig): Promise<string> {
  let token: unknown
  try {
    token =
      typeof config.accessToken === 'function' ? await config.accessToken() : config.accessToken
  } catch {
    throw new ClientError(
      'invalid_access_token',
      'accessToken: the function that should give the token failed.',
    )
  }
  if (typeof token === 'string' && /^[\x21-\x7E]+$/.test(token)) return token
  throw new ClientError(
    'invalid_access_token',
    'accessToken: there must be a token, in printable ASCII and without white space. Is the secret set?',
  )
}

function isSuccess({ status }: Incoming): boolean {
  return status >= 200 && status < 300
}

/** Milliseconds to wait before the next attempt; `undefined` when there must be none. */
function waitBeforeRetry(
  result: Incoming | NoAnswer,
  method: string,
  retriesSoFar: number,
  { clock, retry, random }: ClientConfig,
): number | undefined {
  const jitter = backOffMs(retry, retriesSoFar, random)
  if ('why' in result)
    return result.why === 'network_error' && method === 'GET' ? jitter : undefined
  if (!isRetryableStatus(method, result.status)) return undefined
  const asked = retryAfterMs(result.headers, clock.now())
  if (asked === undefined) return jitter
  return asked <= MAX_RETRY_AFTER_MS ? asked : undefined
}

function errorOf(
  result: Incoming | NoAnswer,
  outgoing: Outgoing,
  attempts: number,
  hide: Redact,
  { clock }: ClientConfig,
): ClientError {
  if ('why' in result) {
    const { why, status, reason } = result
    return failure(why, outgoing, explain(why, outgoing), {
      attempts,
      ...(status !== undefined && { status }),
      reason: reason && hide(reason),
    })
  }
  const { status, headers, body } = result
  const read = readErrorBody(body.text, hide)
  const requestId = read.requestId ?? headers.get('x-request-id') ?? undefined
  const details = {
    attempts,
    status,
    requestId: requestId && hide(requestId),
    retryAfterMs: retryAfterMs(headers, clock.now()),
  }
  const message = messageOf(outgoing, `the API answered ${status}`)
  return new ApiError(message, details, hide(body.text), read.errors)
}

function explain(why: NoAnswer['why'], { method, timeoutMs }: Outgoing): string {
  const doubt = method === 'GET' ? '' : '. It may have arrived: look before sending it again'
  if (why === 'timeout') return `there was no complete answer within ${timeoutMs} ms${doubt}`
  if (why === 'aborted') return `it was aborted${doubt}`
  if (why === 'redirect')
    return 'the API answered with a redirect, which is never followed. Check baseUrl'
  return `the connection failed${doubt}`
}

function failure(
  code: ClientError['code'],
  call: { readonly method: string; readonly label: string },
  problem: string,
  details: ClientErrorDetails,
): ClientError {
  return new ClientError(code, messageOf(call, problem), details)
}

function messageOf(
  { method, label }: { readonly method: string; readonly label: string },
  problem: string,
): string {
  return `${method} ${label}: ${problem}.`
}

function log(
  { method, label }: Outgoing,
  result: Incoming | NoAnswer,
  attempts: number,
  durationMs: number,
  { logger }: ClientConfig,
): void {
  if (logger === undefined) return
  const outcome = 'why' in result ? { outcome: result.why } : { status: result.status }
  writeLog(logger, 'debug', {
    msg: 'sidecard client request',
    method,
    operation: label,
    attempt: attempts,
    durationMs,
    ...outcome,
  })
}
