import {
  badge,
  calendarDate,
  fields,
  identify,
  type IdentifyContext,
  link,
  money,
  section,
  status,
  text,
} from 'sidecard'
import { Stripe } from 'stripe'

/** Another server than Stripe's, for tests. */
export type StripeServer = Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'>

const clients = new WeakMap<object, Stripe>()

/**
 * Returns the client of an environment, or `undefined` if its variable is not set.
 * Every request of the environment shares it, and its connections.
 *
 * @param env the same object for every request, such as `ctx.env`
 */
export function stripeClient(env: { readonly STRIPE_API_KEY?: string | undefined }) {
  if (!env.STRIPE_API_KEY) return undefined
  const client = clients.get(env) ?? createStripe(env.STRIPE_API_KEY)
  clients.set(env, client)
  return client
}

/**
 * Creates a client of Stripe's API. A restricted key with read access to
 * customers, subscriptions, products, prices and invoices is enough.
 */
export function createStripe(apiKey: string, server: StripeServer = {}): Stripe {
  // The client does not support abort signals, so its timeout ends abandoned requests.
  return new Stripe(apiKey, {
    timeout: 1_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...server,
  })
}

/**
 * Lookups for `identify()`: the customer whose metadata has the account ID, then
 * the customers with the requester's email, in any case.
 *
 * @example const { value: customer, via } = await identify(ctx, stripeLookups(stripe))
 */
export function stripeLookups(stripe: Stripe, metadataKey = 'account_id') {
  // Stripe's list of customers compares emails case-sensitively; its search does not.
  const search = async (query: string) => (await stripe.customers.search({ query, limit: 10 })).data
  return {
    account_id: (id: string) => search(`metadata[${quote(metadataKey)}]:${quote(id)}`),
    requester_email: (email: string) => search(`email:${quote(email)}`),
  }
}

/** In a search query, a quote within a value is escaped with a backslash. */
function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/**
 * Returns the section of an issue's customer in Stripe: the subscription and the
 * last invoices. If none or several customers match, only this section says so.
 */
export function stripeSection(ctx: IdentifyContext, stripe: Stripe | undefined) {
  return section('Stripe', () => content(ctx, stripe), { timeoutMs: 3_500 })
}

async function content(ctx: IdentifyContext, stripe: Stripe | undefined) {
  if (stripe === undefined) return text({ label: 'Stripe', value: 'Not configured' })
  const { value: customer, via } = await identify(ctx, stripeLookups(stripe), {
    id: ({ id }) => id,
  })
  const [latest, current] = await Promise.all([
    invoices(customer.id, stripe),
    subscription(customer.id, stripe),
  ])
  return [...customerItems(customer, via), ...current, ...latest]
}

/** The name, with the link to the dashboard only for an exact match. */
function customerItems({ id, name, email, livemode }: Stripe.Customer, via: string) {
  const path = livemode ? 'customers' : 'test/customers'
  return [
    ...fields({ Customer: name ?? email ?? id }),
    via === 'account_id'
      ? link({
          label: 'Open in Stripe',
          url: `https://dashboard.stripe.com/${path}/${encodeURIComponent(id)}`,
        })
      : badge({ label: 'Matched by', items: [{ value: 'Email', color: 'orange' }] }),
  ]
}

const STATUS_COLORS = {
  active: 'green',
  trialing: 'blue',
  past_due: 'orange',
  unpaid: 'red',
  paid: 'green',
  open: 'orange',
  uncollectible: 'red',
} as const

async function subscription(customer: string, stripe: Stripe) {
  const { data } = await stripe.subscriptions.list({
    customer,
    status: 'all',
    limit: 10,
  })
  // The list starts with the newest. A canceled subscription is only shown if there is no other.
  const current = data.find((each) => each.status !== 'canceled') ?? data[0]
  const [item] = current?.items.data ?? []
  if (current === undefined || item === undefined) return fields({ Subscription: 'None' })
  const { price, quantity } = item
  // The list cannot include the product, which is one level too deep to expand.
  const product = await stripe.products.retrieve(toId(price.product))
  const total = price.unit_amount === null ? undefined : price.unit_amount * (quantity ?? 1)
  return [
    ...fields({
      Plan: product.name,
      Seats: quantity,
      Price:
        total === undefined
          ? undefined
          : `${stripeMoney(total, price.currency)} per ${formatInterval(price)}`,
      [current.cancel_at_period_end ? 'Ends' : 'Renews']:
        current.status === 'canceled' ? undefined : formatDay(item.current_period_end),
    }),
    badge({ label: 'Status', items: [status(current.status, STATUS_COLORS)] }),
  ]
}

function formatInterval({ recurring }: Stripe.Price): string {
  if (recurring === null) return 'payment'
  const { interval, interval_count } = recurring
  return interval_count === 1 ? interval : `${interval_count} ${interval}s`
}

function toId(value: string | { readonly id: string }): string {
  return typeof value === 'string' ? value : value.id
}

async function invoices(customer: string, stripe: Stripe) {
  const { data } = await stripe.invoices.list({ customer, limit: 3 })
  if (data.length === 0) return [text({ label: 'Invoices', value: 'None yet' })]
  return data.map((invoice) =>
    badge({
      label: invoice.number ?? `Draft of ${formatDay(invoice.created)}`,
      items: [
        { value: stripeMoney(invoice.total, invoice.currency), color: 'blue' },
        status(invoice.status, STATUS_COLORS),
      ],
    }),
  )
}

/** Formats seconds since 1970 as a calendar date. */
function formatDay(seconds: number): string {
  return calendarDate(new Date(seconds * 1_000).toISOString().slice(0, 10))
}

/** Formats an amount of Stripe, whose minor units differ from ISO 4217 for three currencies. */
function stripeMoney(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  if (code === 'ISK' || code === 'UGX') return money(Math.round(amount / 100), code)
  return money(code === 'MGA' ? amount * 100 : amount, code)
}
