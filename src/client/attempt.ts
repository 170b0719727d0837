import { isInstance, readProperty } from '../internal/hostile-values.ts'
import { ClientError } from './errors.ts'
import type { ClientConfig } from './options.ts'
import { type Body, readBody } from './read-body.ts'
import type { HttpRequest } from './request.ts'

/** A response with its body. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The reason why an attempt has no response. */
export interface AttemptFailure {
  readonly kind: 'network_error' | 'timeout' | 'aborted' | 'redirect'
  /**
   * Whether the request may have reached the API. False if the attempt failed
   * while the token was loading.
   */
  readonly sent: boolean
  readonly status?: number
  /** The system's error code, such as `ECONNRESET`. */
  readonly reason?: string | undefined
}

const MAX_BODY_BYTES = 10 * 1024 * 1024
const MAX_ERROR_BODY_BYTES = 64 * 1024

/**
 * Sends a request once and reads the whole response. The timeout includes
 * `authorize`. It only rejects with client errors that `authorize` throws. If
 * `fetch` ignores the abort signal, its response is discarded.
 */
export async function attempt(
  { method, url, headers, body, timeoutMs, signal }: HttpRequest,
  authorize: () => Promise<void>,
  { fetch, sleep }: ClientConfig,
): Promise<HttpResponse | AttemptFailure> {
  const requestAbort = new AbortController()
  const timerAbort = new AbortController()
  let giveUp: (failure: AttemptFailure) => void = () => undefined
  const aborted = new Promise<AttemptFailure>((resolve) => (giveUp = resolve))
  let sent = false
  const abortWith = (kind: 'timeout' | 'aborted') => {
    giveUp({ kind, sent })
    requestAbort.abort()
  }
  const onAbort = () => abortWith('aborted')
  if (signal?.aborted) return { kind: 'aborted', sent }
  signal?.addEventListener('abort', onAbort, { once: true })
  sleep(timeoutMs, timerAbort.signal).then(
    () => abortWith('timeout'),
    () => undefined,
  )

  const exchange = async (): Promise<HttpResponse | AttemptFailure> => {
    await authorize()
    if (requestAbort.signal.aborted) return { kind: 'aborted', sent }
    const init = { method, headers, redirect: 'manual', signal: requestAbort.signal } as const
    sent = true
    const response = await fetch(url, { ...init, ...toBodyInit(method, body) })
    const { status } = response
    const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
    if (requestAbort.signal.aborted || isRedirect) {
      response.body?.cancel().catch(() => undefined)
      return { kind: 'redirect', sent, status }
    }
    const limit = status >= 200 && status < 300 ? MAX_BODY_BYTES : MAX_ERROR_BODY_BYTES
    return { status, headers: response.headers, body: await readBody(response, limit) }
  }

  try {
    const exchanging = exchange().catch((error: unknown): AttemptFailure => {
      if (isInstance(error, ClientError)) throw error
      return { kind: 'network_error', sent, reason: systemErrorCode(error) }
    })
    // After the race, a rejection would otherwise be unhandled.
    exchanging.catch(() => undefined)
    return await Promise.race([aborted, exchanging])
  } finally {
    timerAbort.abort()
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Deno sends a request again if its reused connection breaks, even a POST. It
 * cannot do so if the body is a stream.
 */
function toBodyInit(method: string, body: string | undefined): RequestInit {
  const isDeno = 'Deno' in globalThis
  if (!isDeno || method === 'GET' || method === 'HEAD') return body === undefined ? {} : { body }
  return { body: new Blob([body ?? '']).stream(), duplex: 'half' } as RequestInit
}

/**
 * Returns the system's code for a failure. The rest of the error is dropped,
 * because a `fetch` wrapper may have put request headers into its message.
 */
function systemErrorCode(error: unknown): string | undefined {
  for (const thrown of [readProperty(error, 'cause'), error]) {
    const name = readProperty(thrown, 'code')
    if (typeof name === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(name)) return name
  }
  return undefined
}
