import { type ClientOptions, createClient } from 'sidecard/client'

/** A request as a scripted API saw it. */
export interface Seen {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly redirect: RequestRedirect | undefined
}

/** An answer, or something that stands for one: thrown, or never given. */
export type Step =
  | Response
  | Error
  | 'never'
  | ((seen: Seen, signal: AbortSignal) => Response | Promise<Response>)

export const TOKEN = 'tok-canary-5b1f'

/** JSON with a status. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** A page of a list. */
export function page(data: unknown, pagination?: unknown): Response {
  return json({ data, ...(pagination !== undefined && { pagination }), request_id: 'req_1' })
}

/**
 * A client whose API follows a script, one step a request, the last one again
 * and again. Time passes only when the client sleeps.
 */
export function scripted(steps: readonly Step[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const sleeps: number[] = []
  let now = Date.parse('2026-11-21T12:00:00Z')
  const client = createClient({
    baseUrl: 'https://api.example.com/v1',
    accessToken: TOKEN,
    random: () => 0.5,
    clock: {
      now: () => now,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason as Error)
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
          // The time limit of an attempt is a sleep too: it never ends by itself.
          if (ms === (options.timeoutMs ?? 10_000)) return undefined
          sleeps.push(ms)
          now += ms
          return resolve()
        }),
    },
    fetch: async (url, init) => {
      const request: Seen = {
        method: init.method ?? 'GET',
        url: new URL(url),
        headers: new Headers(init.headers),
        body: init.body as string | undefined,
        redirect: init.redirect,
      }
      seen.push(request)
      const step = steps[Math.min(seen.length, steps.length) - 1]!
      if (step === 'never') return new Promise(() => undefined)
      if (step instanceof Error) throw step
      return typeof step === 'function' ? step(request, init.signal as AbortSignal) : step.clone()
    },
    ...options,
  })
  return { client, seen, sleeps }
}

/** What a call rejected with. */
export async function failureOf(call: PromiseLike<unknown>): Promise<any> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call did not fail.')
}
