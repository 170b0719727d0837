import { z } from 'zod'

/** Environment variables. Set them in `.env` during development. */
export const envSchema = z
  .object({
    SIDECARD_SECRET: z.string().optional(),
    /** Encrypts the links of actions: at least 32 characters. */
    SIDECARD_ACTION_SECRET: z.string().optional(),
    /** Where agents' browsers reach this app. Actions need it in production. */
    PUBLIC_URL: z.url().or(z.literal('')).optional(),
    /** The service's API. Remove or empty both to hide the forms and the action. */
    SIDECARD_API_URL: z.url().or(z.literal('')).optional(),
    SIDECARD_API_TOKEN: z.string().optional(),
    /** The URL of a PostgreSQL server. Without it, the database is embedded in the process. */
    DATABASE_URL: z.string().optional(),
    NODE_ENV: z.string().optional(),
    HOST: z.string().default('127.0.0.1'),
    /** An empty variable counts as absent. */
    PORT: z.preprocess(
      (port) => port || undefined,
      z.coerce.number().int().min(1).max(65_535).default(8787),
    ),
  })
  .refine(({ NODE_ENV, DATABASE_URL }) => NODE_ENV !== 'production' || DATABASE_URL, {
    path: ['DATABASE_URL'],
    error: 'Required in production',
  })

export type Env = z.infer<typeof envSchema>
