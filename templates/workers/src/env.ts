/** What `wrangler secret put` sets; locally it stands in `.dev.vars`. */
export interface Env {
  readonly SIDECARD_SECRET?: string
  /** The service's API; without them the sidebar goes without the teams. */
  readonly SIDECARD_API_URL?: string
  readonly SIDECARD_API_TOKEN?: string
}
