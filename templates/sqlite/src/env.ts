import * as z from 'zod/mini'

/** The environment. `{{secretsFile}}` contains the variables during development. */
export const envSchema = z.object({
  SIDECARD_SECRET: z.optional(z.string()),
  /** The database file. Without it, the server uses customers.sqlite. */
  DATABASE_PATH: z.optional(z.string()),
})

export type Env = z.infer<typeof envSchema>
