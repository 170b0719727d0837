import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod/mini'

/** The environment. `{{secretsFile}}` contains the variables during development. */
export const envSchema = z.object({
  SIDECARD_SECRET: z.optional(z.string()),
  DB: z.custom<D1Database>((binding) => binding !== undefined),
})

export type Env = z.infer<typeof envSchema>
