/** The variables that `sidecard add` writes into src/env.ts of a project. */
export interface Env {
  readonly PUBLIC_URL?: string | undefined
  readonly RECEIPTS_PATH?: string | undefined
}
