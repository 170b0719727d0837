import { onTestFinished, vi } from 'vitest'
import { type ClientOptions, createClient } from 'sidecard/client'

/** A request that the scripted API received. */
export interface RecordedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
  readonly redirect: RequestRedirect | undefined
}

/** A response, an error to throw, or no response. */
export type ScriptStep =
  | Response
  | Error
  | 'never'
  | ((seen: RecordedRequest, signal: AbortSignal) => Response | Promise<Response>)

export const TOKEN = 'tok-canary-5b1f'

/** Creates a JSON response. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** Creates a page of a list. */
export function page(data: unknown, pagination?: unknown): Response {
  return json({ data, ...(pagination !== undefined && { pagination }), request_id: 'req_1' })
}

/** Passes time only while the client waits between two attempts, and makes the jitter half. */
function controlClock(timeoutMs: number): readonly number[] {
  const sleeps: number[] = []
  let now = Date.parse('2026-11-21T12:00:00Z')
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  const setTimer = (callback: () => void, ms = 0) => {
    // The timeout of an attempt does not end by itself here.
    if (ms === timeoutMs) return 0
    sleeps.push(ms)
    now += ms
    queueMicrotask(callback)
    return 0
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(setTimer as never)
  onTestFinished(() => void vi.restoreAllMocks())
  return sleeps
}

/**
 * Creates a client whose API follows a script with one step per request. The last
 * step is repeated. Time only passes while the client sleeps, unless the clock is
 * the real one.
 */
export function createScriptedClient(
  steps: readonly ScriptStep[],
  { realClock = false, ...options }: Partial<ClientOptions> & { readonly realClock?: boolean } = {},
) {
  const seen: RecordedRequest[] = []
  const sleeps = realClock ? [] : controlClock(options.timeoutMs ?? 10_000)
  const client = createClient({
    baseUrl: 'https://api.example.com/v1',
    accessToken: TOKEN,
    fetch: async (url, init) => {
      const request: RecordedRequest = {
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

/** Returns the error that a call rejects with. */
export async function catchError(call: PromiseLike<unknown>): Promise<any> {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('The call did not fail.')
}
