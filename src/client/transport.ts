import { createRedactor, type Redact } from '../internal/create-redactor.ts'
import { writeLog } from '../internal/logger.ts'
import { loadAccessToken } from './access-token.ts'
import { attempt, type AttemptFailure, type HttpResponse } from './attempt.ts'
import { createError } from './create-error.ts'
import { toClientError } from './failure.ts'
import type { ClientConfig } from './options.ts'
import { type Call, createRequest, type HttpRequest } from './request.ts'
import { backOffMs, isRetryableStatus, MAX_RETRY_AFTER_MS, retryAfterMs } from './retry.ts'

/** A successful response, and the number of requests that were sent. */
export interface CompletedResponse extends HttpResponse {
  readonly attempts: number
  /** Replaces the secrets of the request in text from the API. */
  readonly redact: Redact
}

/**
 * Sends a call, retries it if that is safe, and throws a client error for every
 * failure. It does not use an HTTP library, because none that we tried has a
 * timeout that covers the body, a limit for the body, and an injectable clock.
 */
export async function send(call: Call, config: ClientConfig): Promise<CompletedResponse> {
  const { now, sleep, retry } = config
  const request = createRequest(call, config)
  if (request.signal?.aborted) {
    throw createError('aborted', request, 'aborted before the request was sent')
  }
  const secrets = new Set(secretHeaderValues(call, config))
  const authorize = async () => {
    const token = await loadAccessToken(config.accessToken)
    secrets.add(token)
    request.headers.set('authorization', `Bearer ${token}`)
  }
  // Created on use, because a successful call has nothing to redact.
  const redact: Redact = (text) => createRedactor(secrets)(text)
  for (let attempts = 1; ; attempts += 1) {
    /* oxlint-disable no-await-in-loop -- each attempt depends on the one before */
    const startedAt = now()
    const result = await attempt(request, authorize, config)
    log(request, result, attempts, now() - startedAt, config)
    if ('body' in result && isSuccess(result)) {
      if (!result.body.truncated) return { ...result, attempts, redact }
      throw createError('response_too_large', request, 'the response body exceeds 10 MB', {
        attempts,
        status: result.status,
      })
    }
    const wait =
      attempts > retry.maxRetries
        ? undefined
        : waitBeforeRetry(result, request.method, attempts - 1, config)
    if (wait === undefined) {
      const { host } = new URL(config.baseUrl)
      throw toClientError(result, request, { host, attempts, now: now(), redact })
    }
    await sleep(wait, request.signal ?? new AbortController().signal).catch(() => {
      throw createError('aborted', request, 'aborted while waiting to retry', { attempts })
    })
    /* oxlint-enable no-await-in-loop */
  }
}

/** Headers that every client sends are not secret, and short values are ordinary words. */
const PUBLIC_HEADERS = /^(?:accept|accept-language|content-type|user-agent)$/i
const MIN_SECRET_LENGTH = 8

function secretHeaderValues(call: Call, config: ClientConfig): string[] {
  return Object.entries({ ...config.headers, ...call.headers })
    .filter(([name, value]) => !PUBLIC_HEADERS.test(name) && value.length >= MIN_SECRET_LENGTH)
    .map(([, value]) => value)
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300
}

/**
 * Returns the delay before the next attempt in milliseconds, or `undefined` if
 * the call must not be retried.
 */
function waitBeforeRetry(
  result: HttpResponse | AttemptFailure,
  method: string,
  retriesSoFar: number,
  { now, retry, random }: ClientConfig,
): number | undefined {
  const backOff = backOffMs(retry, retriesSoFar, random)
  if ('kind' in result) {
    return result.kind === 'network_error' && method === 'GET' ? backOff : undefined
  }
  if (!isRetryableStatus(method, result.status)) return undefined
  const wait = retryAfterMs(result.headers, now())
  if (wait === undefined) return backOff
  return wait <= MAX_RETRY_AFTER_MS ? wait : undefined
}

function log(
  { method, label }: HttpRequest,
  result: HttpResponse | AttemptFailure,
  attempts: number,
  durationMs: number,
  { logger }: ClientConfig,
): void {
  if (logger === undefined) return
  const outcome = 'kind' in result ? { outcome: result.kind } : { status: result.status }
  writeLog(logger, 'debug', {
    msg: 'sidecard client request',
    method,
    operation: label,
    attempt: attempts,
    durationMs,
    ...outcome,
  })
}
