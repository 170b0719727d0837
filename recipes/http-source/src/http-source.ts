import { badge, calendarDate, dateTime, fields, section, status, text } from 'sidecard'
import { sectionCache } from 'sidecard/cache'
import * as z from 'zod/mini'
import { send } from './http-client.ts'
import { store } from './http-source-store.ts'

const subscriptionSchema = z.object({
  plan: z.string(),
  status: z.string(),
  seats: z.number(),
  // Coercion to a Date would also accept false, seconds since 1970, and times without a zone.
  renews_at: z.nullable(z.union([z.iso.date(), z.iso.datetime({ offset: true })])),
})

export type Subscription = z.infer<typeof subscriptionSchema>

/** The variables of the API. */
export interface HttpSourceEnv {
  readonly BILLING_API_URL?: string | undefined
  readonly BILLING_API_TOKEN?: string | undefined
}

/** Fetches a customer's subscription. */
export type HttpSource = (
  accountId: string,
  signal: AbortSignal,
) => Promise<Subscription | undefined>

/** Returns the source of an environment, or `undefined` if its variables are not set. */
export function httpSource(env: HttpSourceEnv): HttpSource | undefined {
  const { BILLING_API_URL: baseUrl, BILLING_API_TOKEN: token } = env
  if (!baseUrl || !token) return undefined
  return async (accountId, signal) => {
    const url = new URL(`accounts/${encodeURIComponent(accountId)}/subscription`, `${baseUrl}/`)
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const response = await send(url.href, { headers, signal })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The billing API returned ${response.status}.`)
    return subscriptionSchema.parse(await response.json())
  }
}

const cache = sectionCache({
  name: 'subscription',
  store,
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
    ...fields({ Plan: plan, Seats: seats }),
    renews_at && renewal(renews_at),
    badge({ label: 'Status', items: [status(subscription.status, colors)] }),
  ]
}

/** A date without a time is the same day in every time zone. */
function renewal(value: string) {
  return value.includes('T')
    ? dateTime({ label: 'Renews', value })
    : text({ label: 'Renews', value: calendarDate(value) })
}
