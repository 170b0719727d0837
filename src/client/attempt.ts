import { ClientError } from './errors.ts'
import type { ClientConfig } from './options.ts'
import { type Body, readBody } from './read-body.ts'

/** One request, ready to be sent as often as it takes. */
export interface Outgoing {
  readonly method: string
  /** What messages and log lines call it: never with an id in it. */
  readonly label: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** An answer with its body. */
export interface Incoming {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Why an attempt has no answer. */
export interface NoAnswer {
  readonly why: 'network_error' | 'timeout' | 'aborted' | 'redirect'
  readonly status?: number
  readonly reason?: string | undefined
}

const MAX_BODY_BYTES = 10 * 1024 * 1024
const MAX_ERROR_BODY_BYTES = 64 * 1024

/**
 * Sends a request once and reads the whole answer, within its time, which
 * starts with `authorize`. Rejects only with an error of the client that
 * `authorize` throws. What ignores the abort signal is left behind, and its answer thrown
 * away when it comes.
 */
export async function attempt(
  { method, url, headers, body, timeoutMs, signal }: Outgoing,
  authorize: () => Promise<void>,
  { fetch, clock }: ClientConfig,
): Promise<Incoming | NoAnswer> {
  const stop = new AbortController()
  const over = new AbortController()
  const givenUp = Promise.withResolvers<NoAnswer>()
  const giveUp = (why: 'timeout' | 'aborted') => {
    givenUp.resolve({ why })
    stop.abort()
  }
  const onAbort = () => giveUp('aborted')
  if (signal?.aborted) return { why: 'aborted' }
  signal?.addEventListener('abort', onAbort, { once: true })
  clock.sleep(timeoutMs, over.signal).then(
    () => giveUp('timeout'),
    () => undefined,
  )

  const exchange = async (): Promise<Incoming | NoAnswer> => {
    await authorize()
    if (stop.signal.aborted) return { why: 'aborted' }
    const init = { method, headers, redirect: 'manual', signal: stop.signal } as const
    const response = await fetch(url, body === undefined ? init : { ...init, body })
    const { status } = response
    if (
      stop.signal.aborted ||
      response.type === 'opaqueredirect' ||
      (status >= 300 && status < 400)
    ) {
      response.body?.cancel().catch(() => undefined)
      return { why: 'redirect', status }
    }
    const limit = status >= 200 && status < 300 ? MAX_BODY_BYTES : MAX_ERROR_BODY_BYTES
    return { status, headers: response.headers, body: await readBody(response, limit) }
  }

  try {
    const exchanging = exchange().catch((error: unknown): NoAnswer => {
      if (error instanceof ClientError) throw error
      return { why: 'network_error', reason: reasonOf(error) }
    })
    // When the race is over, nobody else hears of it.
    exchanging.catch(() => undefined)
    return await Promise.race([givenUp.promise, exchanging])
  } finally {
    over.abort()
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * The system's name for a failure. Nothing else of the error is kept: what
 * wraps `fetch` may have put the request's headers into its message.
 */
function reasonOf(error: unknown): string | undefined {
  const { cause, code } = (error ?? {}) as { cause?: { code?: unknown } | null; code?: unknown }
  for (const name of [cause?.code, code]) {
    if (typeof name === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(name)) return name
  }
  return undefined
}
