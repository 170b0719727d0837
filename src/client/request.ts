import { writeLog } from '../internal/logger.ts'
import { createError } from './create-error.ts'
import { ClientError } from './errors.ts'
import type { ClientConfig, ReadCallOptions } from './options.ts'

/** A call before it is sent. */
export interface Call extends ReadCallOptions {
  readonly method: string
  /** The path without IDs, such as `/issues/{id}/messages/{message_id}/redact`. */
  readonly label: string
  /** The path below the base URL, with encoded segments. */
  readonly path: string
  /** The encoded query, without the question mark. */
  readonly query: string
  /** Sent as JSON. */
  readonly json?: unknown
}

/** A request that can be sent repeatedly. */
export interface HttpRequest {
  readonly method: string
  /** The name of the call in messages and log lines, without IDs. */
  readonly label: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * The maximum length of a URL. Node's limit for URL and headers together is 16
 * KB, and servers return 431 above it.
 */
const MAX_URL_BYTES = 16_000
const LONG_URL_BYTES = 8_000

/**
 * Creates the request of a call, without the access token.
 *
 * @throws {ClientError} `invalid_parameter`, `url_too_long`
 */
export function createRequest(call: Call, config: ClientConfig): HttpRequest {
  const { method, label, json, timeoutMs = config.timeoutMs } = call
  const url = `${config.baseUrl}${call.path}${call.query === '' ? '' : `?${call.query}`}`
  if (url.length > MAX_URL_BYTES) {
    const problem = `the URL would be ${url.length} bytes (limit ${MAX_URL_BYTES}). Shorten the longest field`
    throw createError('url_too_long', call, problem)
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
    headers: createHeaders(call, config),
    body: json === undefined ? undefined : serializeJson(json),
    timeoutMs,
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
  }
}

function serializeJson(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch {
    // The runtime's message may quote the value.
  }
  if (text !== undefined) return text
  throw new ClientError('invalid_parameter', 'client.request: the body must be JSON-serializable.')
}

function createHeaders(call: Call, config: ClientConfig): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (call.json !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries({ ...config.headers, ...call.headers })) {
    headers.set(name, value)
  }
  return headers
}
