import { createRedactor, type Redact } from '../internal/create-redactor.ts'
import { attempt, type HttpRequest, type HttpResponse, type Sent } from './attempt.ts'
import { ClientError, createError, type NamedCall } from './errors.ts'
import { toClientError } from './failure.ts'
import { type ClientConfig, loadAccessToken } from './options.ts'
import { waitBeforeRetry } from './retry.ts'

/** A call before it is sent. */
export interface Call extends NamedCall {
  /** The path below the base URL, with encoded segments. */
  readonly path: string
  /** The encoded query, without the question mark. */
  readonly query?: string
  /** Sent as JSON. */
  readonly json?: unknown
  readonly signal?: AbortSignal | undefined
}

/** A successful response. */
export type CompletedResponse = HttpResponse & Sent

/**
 * Sends a call, retries it if that is safe, and throws a client error for every
 * failure. It does not use an HTTP library, because none that we tried limits the
 * size of a body. For example, ky's `timeout` covers the body, but ky reads all of
 * it.
 */
export async function send(call: Call, config: ClientConfig): Promise<CompletedResponse> {
  const request = createRequest(call, config)
  const { signal } = request
  if (signal?.aborted) throw createError('aborted', call, 'aborted before the request was sent')
  // A short value may be an ordinary word, which must stay readable.
  const secrets = new Set(Object.values(config.headers).filter(({ length }) => length >= 8))
  const authorize = async () => {
    const token = await loadAccessToken(config.accessToken)
    secrets.add(token)
    request.headers.set('authorization', `Bearer ${token}`)
  }
  // Created on use, because a successful call has nothing to redact.
  const redact: Redact = (text) => createRedactor(secrets)(text)
  for (let attempts = 1; ; attempts += 1) {
    /* oxlint-disable no-await-in-loop -- each attempt depends on the one before */
    const result = { ...(await attempt(request, authorize, config)), attempts, redact }
    if ('body' in result && result.status >= 200 && result.status < 300) {
      return result
    }
    const wait = waitBeforeRetry(result, call.method, attempts - 1, config.retry)
    if (wait === undefined) throw toClientError(result, call, config)
    await sleep(wait, signal)
    if (signal?.aborted) {
      throw createError('aborted', call, 'aborted while waiting to retry', { attempts })
    }
    /* oxlint-enable no-await-in-loop */
  }
}

/** Waits until the time has passed or the signal aborts. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish, { once: true })
  })
}

/**
 * The maximum length of a URL. Node's limit for URL and headers together is 16
 * KB, and servers return 431 above it.
 */
const MAX_URL_BYTES = 16_000

/** Creates the request of a call, without the access token. */
function createRequest(call: Call, config: ClientConfig): HttpRequest {
  const { method, path, query = '', json } = call
  const url = `${config.baseUrl}${path}${query === '' ? '' : `?${query}`}`
  if (url.length > MAX_URL_BYTES) {
    const problem = `the URL would be ${url.length} bytes (limit ${MAX_URL_BYTES}). Shorten the longest field`
    throw createError('url_too_long', call, problem)
  }
  const headers = new Headers({ accept: 'application/json' })
  if (json !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(config.headers)) headers.set(name, value)
  const signals = [config.signal, call.signal].filter((signal) => signal !== undefined)
  return {
    method,
    url,
    headers,
    body: json === undefined ? undefined : serializeJson(json),
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
  }
}

function serializeJson(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value)
    if (typeof text === 'string') return text
  } catch {
    // The runtime's message may quote the value.
  }
  throw new ClientError('invalid_parameter', 'client.request: the body must be JSON-serializable.')
}
