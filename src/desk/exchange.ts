import { bodyFailure, connectionFailure, failure } from './failure.ts'
import type { Failure } from './failure.ts'
import { decodeUtf8, MAX_BODY_BYTES, readBody } from './body.ts'
import type { Send } from './target.ts'

/** What an endpoint answered. */
export interface ExchangeResponse {
  readonly status: number
  readonly statusText: string
  /** Names in lower case; the values of a repeated header joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed, at most `maxBodyBytes`. */
  readonly body: Uint8Array
  /** The body as UTF-8, a byte order mark included; `undefined` when it is not UTF-8. */
  readonly text: string | undefined
  /** True when there was more than `maxBodyBytes`. */
  readonly truncated: boolean
}

/** One request and what became of it. It may be printed: it holds no value of a custom header. */
export interface Exchange {
  readonly request: {
    readonly url: string
    /** The names of the custom headers that were sent; never their values. */
    readonly headerNames: readonly string[]
  }
  /** Milliseconds on the injected clock. */
  readonly startedAt: number
  readonly durationMs: number
  /** There unless the exchange failed before the status line and headers. */
  readonly response?: ExchangeResponse
  /** There when no whole answer came. */
  readonly failure?: Failure
}

/** How one exchange is made. */
export interface ExchangeOptions {
  readonly send: Send
  readonly headers: Readonly<Record<string, string>>
  /** For the headers and the whole body together. @default 5000 (A7) */
  readonly timeoutMs?: number
  /** After decompression. @default 1048576 */
  readonly maxBodyBytes?: number
  /** A clock in milliseconds. @default Date.now */
  readonly now?: () => number
}

/** How long the desk waits for a whole answer; how long the service waits is not shown (A7). */
export const DEFAULT_TIMEOUT_MS = 5_000

/**
 * Sends one GET, follows no redirect, and reads the answer within the limits.
 * It never throws and never rejects: what goes wrong is in `failure`.
 */
export async function exchange(url: URL, options: ExchangeOptions): Promise<Exchange> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, now = Date.now } = options
  const startedAt = now()
  const deadline = startDeadline(timeoutMs)
  try {
    const outcome = await perform(url, options, deadline)
    return {
      request: { url: url.href, headerNames: Object.keys(options.headers) },
      startedAt,
      durationMs: now() - startedAt,
      ...outcome,
    }
  } finally {
    deadline.stop()
  }
}

interface Deadline {
  readonly signal: AbortSignal
  /** Rejects when the time is over. */
  readonly over: Promise<never>
  readonly passed: () => boolean
  readonly stop: () => void
}

function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController()
  const { promise: over, reject } = Promise.withResolvers<never>()
  // Handled here so that a deadline nobody waits for is not an unhandled rejection.
  over.catch(() => undefined)
  let passed = false
  const timer = setTimeout(() => {
    passed = true
    reject(new DOMException('The deadline passed.', 'TimeoutError'))
    controller.abort()
  }, timeoutMs)
  return {
    signal: controller.signal,
    over,
    passed: () => passed,
    stop: () => {
      clearTimeout(timer)
      controller.abort()
    },
  }
}

async function perform(
  url: URL,
  options: ExchangeOptions,
  deadline: Deadline,
): Promise<Pick<Exchange, 'response' | 'failure'>> {
  let response: Response
  try {
    const request = new Request(url, {
      headers: options.headers,
      redirect: 'manual',
      signal: deadline.signal,
    })
    response = await Promise.race([Promise.resolve(options.send(request)), deadline.over])
  } catch (error) {
    return { failure: deadline.passed() ? failure('timeout') : connectionFailure(error) }
  }
  if (!(response instanceof Object) || typeof response.status !== 'number') {
    return { failure: failure('threw', 'it gave something that is not a Response') }
  }
  const head = {
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(response.headers),
  }
  try {
    const { maxBodyBytes = MAX_BODY_BYTES } = options
    const { bytes, truncated } = await readBody(response, maxBodyBytes, deadline.over)
    return {
      response: { ...head, body: bytes, text: decodeUtf8(bytes), truncated },
      ...(truncated && { failure: failure('too_large', `over ${maxBodyBytes} bytes`) }),
    }
  } catch (error) {
    const empty = { body: new Uint8Array(), text: undefined, truncated: false }
    return {
      response: { ...head, ...empty },
      failure: deadline.passed() ? failure('timeout') : bodyFailure(error),
    }
  }
}
