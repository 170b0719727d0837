import type { D1Database } from '@cloudflare/workers-types'

/** The bindings of wrangler.jsonc, and what `wrangler secret put` sets; locally it stands in `.dev.vars`. */
export interface Env {
  readonly DB: D1Database
  readonly SIDECARD_SECRET?: string
  /** The service's API; without it the sidebar goes without the forms. */
  readonly SIDECARD_API_URL?: string
  readonly SIDECARD_API_TOKEN?: string
}
