import type { Redact } from '../internal/create-redactor.ts'
import { isInstance, readProperty } from '../internal/hostile-values.ts'
import { ClientError } from './errors.ts'
import { type Body, readBody } from './read-body.ts'

/** A request that can be sent repeatedly. */
export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

/** A response with its body. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The sent request of a call. */
export interface Sent {
  /** The number of requests. */
  readonly attempts: number
  /** Replaces the secrets of the request in text from the API. */
  readonly redact: Redact
}

/** A `fetch` function, such as the runtime's or an emulator's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

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
  { method, url, headers, body, signal }: HttpRequest,
  authorize: () => Promise<void>,
  { fetch, timeoutMs }: { readonly fetch: Fetch; readonly timeoutMs: number },
): Promise<HttpResponse | AttemptFailure> {
  const abort = new AbortController()
  const stopped = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', reject)
  })
  let kind: AttemptFailure['kind'] = 'network_error'
  let sent = false
  const stop = (cause: typeof kind) => {
    kind = cause
    abort.abort()
  }
  const onAbort = () => stop('aborted')
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop('timeout'), timeoutMs)

  const exchange = async (): Promise<HttpResponse | AttemptFailure> => {
    await authorize()
    abort.signal.throwIfAborted()
    const init = { method, headers, redirect: 'manual', signal: abort.signal } as const
    sent = true
    const response = await fetch(url, { ...init, ...toBodyInit(method, body) })
    const { status } = response
    const isRedirect = response.type === 'opaqueredirect' || (status >= 300 && status < 400)
    if (abort.signal.aborted || isRedirect) {
      response.body?.cancel().catch(() => undefined)
      return { kind: 'redirect', sent, status }
    }
    const limit = status >= 200 && status < 300 ? MAX_BODY_BYTES : MAX_ERROR_BODY_BYTES
    return { status, headers: response.headers, body: await readBody(response, limit) }
  }

  try {
    return await Promise.race([stopped, exchange()])
  } catch (error) {
    if (!sent && isInstance(error, ClientError)) throw error
    return { kind, sent, reason: systemErrorCode(error) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Returns the body of a request. On Deno, the body of a write is a stream.
 * Otherwise, Deno would send it again if a reused connection breaks.
 */
function toBodyInit(method: string, body: string | undefined): RequestInit {
  const isDeno = 'Deno' in globalThis
  if (!isDeno || method === 'GET' || method === 'HEAD') return body === undefined ? {} : { body }
  return { body: new Blob([body ?? '']).stream(), duplex: 'half' } as RequestInit
}

/**
 * Returns the system's code for a failure. The rest of the error is dropped,
 * because a `fetch` wrapper may put request headers into its message.
 */
function systemErrorCode(error: unknown): string | undefined {
  return [readProperty(error, 'cause'), error]
    .map((thrown) => readProperty(thrown, 'code'))
    .find((code): code is string => typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code))
}
