import type { KVNamespace } from '@cloudflare/workers-types'
// It is much smaller than zod, which matters because the Worker includes it.
import * as z from 'zod/mini'

/** Environment bindings: wrangler.jsonc and `wrangler secret put`, or `.dev.vars` during development. */
export const envSchema = z.object({
  /** The cache for payloads. */
  PAYLOADS: z.custom<KVNamespace>((binding) => binding !== undefined),
  SIDECARD_SECRET: z.optional(z.string()),
  /** The service's API. Remove or empty both to hide the forms. */
  SIDECARD_API_URL: z.optional(z.union([z.url(), z.literal('')])),
  SIDECARD_API_TOKEN: z.optional(z.string()),
})

export type Env = z.infer<typeof envSchema>
