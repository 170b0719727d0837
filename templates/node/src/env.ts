import { z } from 'zod'

/** Environment variables. Set them in `.env` during development. */
export const envSchema = z.object({
  SIDECARD_SECRET: z.string().optional(),
  /** Encrypts the links of actions: at least 32 characters. */
  SIDECARD_ACTION_SECRET: z.string().optional(),
  /** Where agents' browsers reach this app. Actions need it in production. */
  PUBLIC_URL: z.url().or(z.literal('')).optional(),
  /** The service's API. Remove or empty both to hide the forms and the action. */
  SIDECARD_API_URL: z.url().or(z.literal('')).optional(),
  SIDECARD_API_TOKEN: z.string().optional(),
  DATABASE_PATH: z.string().default('customers.sqlite'),
  HOST: z.string().default('127.0.0.1'),
  /** An empty variable counts as absent. */
  PORT: z.preprocess(
    (port) => port || undefined,
    z.coerce.number().int().min(1).max(65_535).default(8787),
  ),
})

export type Env = z.infer<typeof envSchema>
