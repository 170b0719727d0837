import * as z from 'zod/mini'
import type { Customers } from './sidebar.ts'
import type { Env } from './env.ts'

const customerSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  seats: z.number(),
  status: z.string(),
  mrr_minor: z.number(),
  currency: z.string(),
  renews_on: z.nullable(z.string()),
})

const orderSchema = z.object({
  number: z.string(),
  total_minor: z.number(),
  currency: z.string(),
  placed_on: z.string(),
})

/** Reads customers from an HTTP API. Change the paths and the schemas to those of your API. */
export function getCustomers({ API_URL, API_TOKEN }: Env, send = fetch): Customers {
  const get = async <Data>(
    path: string,
    schema: z.ZodMiniType<Data>,
    signal: AbortSignal,
  ): Promise<Data | undefined> => {
    const headers = new Headers()
    if (API_TOKEN) headers.set('authorization', `Bearer ${API_TOKEN}`)
    const response = await send(API_URL + path, { headers, signal })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The customer API returned ${response.status}.`)
    return schema.parse(await response.json())
  }
  const list = async (parameter: string, value: string, signal: AbortSignal) => {
    const path = `/customers?${parameter}=${encodeURIComponent(value)}`
    return (await get(path, z.array(customerSchema), signal)) ?? []
  }
  return {
    byId: (id, signal) => get(`/customers/${encodeURIComponent(id)}`, customerSchema, signal),
    byEmail: (email, signal) => list('email', email, signal),
    byDomain: (domain, signal) => list('domain', domain, signal),
    orders: async (id, signal) =>
      (await get(`/customers/${encodeURIComponent(id)}/orders`, z.array(orderSchema), signal)) ??
      [],
  }
}
