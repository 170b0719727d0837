import * as z from 'zod/mini'

/** The environment. `.env` contains the variables during development. */
export const envSchema = z.object({
  SIDECARD_SECRET: z.optional(z.string()),
  /** The URL of a PostgreSQL server. During development, one is embedded if this is absent. */
  DATABASE_URL: z.string(),
})

export type Env = z.infer<typeof envSchema>
