/** The variables of the shared code. Each template has its own file with a schema instead. */
export interface Env {
  readonly SIDECARD_API_URL?: string | undefined
  readonly SIDECARD_API_TOKEN?: string | undefined
}
