import type { D1Database } from '@cloudflare/workers-types'
// It is much smaller than zod, which matters because the Worker includes it.
import * as z from 'zod/mini'

/** Environment bindings: wrangler.jsonc and `wrangler secret put`, or `.dev.vars` during development. */
export const envSchema = z.object({
  DB: z.custom<D1Database>((binding) => binding !== undefined),
  SIDECARD_SECRET: z.optional(z.string()),
  /** Encrypts the links of actions: at least 32 characters. */
  SIDECARD_ACTION_SECRET: z.optional(z.string()),
  /** Where agents' browsers reach this app. Actions need it in production. */
  PUBLIC_URL: z.optional(z.union([z.url(), z.literal('')])),
  /** The service's API. Remove or empty both to hide the forms and the action. */
  SIDECARD_API_URL: z.optional(z.union([z.url(), z.literal('')])),
  SIDECARD_API_TOKEN: z.optional(z.string()),
})

export type Env = z.infer<typeof envSchema>
