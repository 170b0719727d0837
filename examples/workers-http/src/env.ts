import * as z from 'zod/mini'

/** The environment. `.dev.vars` contains the variables during development. */
export const envSchema = z.object({
  SIDECARD_SECRET: z.optional(z.string()),
  /** The URL of the customer API, without a slash at its end. */
  API_URL: z.string().check(z.refine((url) => URL.canParse(url))),
  API_TOKEN: z.optional(z.string()),
})

export type Env = z.infer<typeof envSchema>
