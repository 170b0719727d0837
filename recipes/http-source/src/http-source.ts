import {
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleType,
  retry,
  wrap,
} from 'cockatiel'
import { badge, fields, section, status, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import * as z from 'zod/mini'

const subscriptionSchema = z.object({
  plan: z.string(),
  status: z.string(),
  seats: z.number(),
  renews_at: z.nullable(z.coerce.date()),
})

export type Subscription = z.infer<typeof subscriptionSchema>

/** The API did not respond, or is temporarily unavailable. Only these errors are retried. */
class TransientError extends Error {}

export interface HttpSourceOptions {
  readonly baseUrl: string
  readonly token: string
  /** Sends the requests. Tests replace it. */
  readonly fetch?: typeof globalThis.fetch
}

/** Fetches a customer's subscription. */
export type HttpSource = (
  accountId: string,
  signal: AbortSignal,
) => Promise<Subscription | undefined>

/** The variables of the API. */
export interface HttpSourceEnv {
  readonly BILLING_API_URL?: string | undefined
  readonly BILLING_API_TOKEN?: string | undefined
}

const sources = new WeakMap<object, HttpSource>()

/**
 * Returns the source of an environment, or `undefined` if its variables are not
 * set. Every request of the environment shares it: a circuit breaker per request
 * would never open.
 *
 * @param env the same object for every request, such as `ctx.env`
 */
export function httpSource(env: HttpSourceEnv): HttpSource | undefined {
  const { BILLING_API_URL: baseUrl, BILLING_API_TOKEN: token } = env
  if (!baseUrl || !token) return undefined
  const source = sources.get(env) ?? createHttpSource({ baseUrl, token })
  sources.set(env, source)
  return source
}

/**
 * Creates a source of subscriptions. Its circuit breaker stops calling the API for
 * ten seconds after five consecutive failures.
 */
export function createHttpSource({
  baseUrl,
  token,
  fetch = globalThis.fetch,
}: HttpSourceOptions): HttpSource {
  const transient = handleType(TransientError)
  const policy = wrap(
    retry(transient, { maxAttempts: 2, backoff: new ExponentialBackoff({ initialDelay: 100 }) }),
    circuitBreaker(transient, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
  )

  async function load(accountId: string, signal: AbortSignal): Promise<Subscription | undefined> {
    const url = new URL(`accounts/${encodeURIComponent(accountId)}/subscription`, `${baseUrl}/`)
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(url.href, { headers, signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new TransientError('The billing API cannot be reached', { cause: error })
    })
    if (response.status === 404) return undefined
    if (response.status === 429 || response.status >= 500) {
      throw new TransientError(`The billing API returned ${response.status}`)
    }
    if (!response.ok) throw new Error(`The billing API returned ${response.status}`)
    return subscriptionSchema.parse(await response.json())
  }

  // The signal of the section also ends the retries.
  return (accountId, signal) => policy.execute(() => load(accountId, signal), signal)
}

const cache = sectionCache({
  name: 'subscription',
  store: memoryStore(),
  ttlSeconds: 60,
  // While the API is down, agents see stale content with its time.
  staleSeconds: 3_600,
})

/** Returns the section of a customer's subscription. */
export function subscriptionSection(accountId: string, source: HttpSource | undefined) {
  return section('Subscription', (signal) => content(accountId, source, signal), {
    timeoutMs: 2_000,
    cache,
    key: [accountId],
  })
}

async function content(accountId: string, source: HttpSource | undefined, signal: AbortSignal) {
  if (source === undefined) return text({ label: 'Subscription', value: 'Not configured' })
  const subscription = await source(accountId, signal)
  if (subscription === undefined) return fields({ Subscription: 'None' })
  const { plan, seats, renews_at } = subscription
  const colors = { active: 'green', past_due: 'orange', canceled: 'gray' } as const
  return [
    ...fields({ Plan: plan, Seats: seats, Renews: renews_at }),
    badge({ label: 'Status', items: [status(subscription.status, colors)] }),
  ]
}
