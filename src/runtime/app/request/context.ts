import type { Context } from 'hono'
import type { FetchDataParameter, FetchDataParams } from '../../contract/parameters.ts'
import type { LogFields, LogLevel } from '../../internal/logger.ts'
import type { BindingsOf, HonoEnvOf } from './bindings.ts'

/** The log of one request: each line has its trace ID. A logger that fails is ignored. */
export type RequestLog = { readonly [Level in LogLevel]: (msg: string, fields?: LogFields) => void }

/**
 * The context of one data fetch: its IDs, bindings, signal, trace ID and log.
 * It can be destructured. Without a type argument, it is the context of any app,
 * for helpers: its `env` is `any`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- `unknown` would reject the contexts of typed apps
export interface FetchDataContext<T = any> {
  /** The contract's seven IDs; absent and empty are both `undefined`. @see docs/contract.md#requests */
  readonly params: FetchDataParams
  /** The environment bindings, as the schema of `sidecard(schema, …)` returns them if there is one. */
  readonly env: BindingsOf<T>
  /**
   * Aborts at the timeout and when the caller disconnects. Pass it to `fetch` and to drivers: work that ignores it continues.
   */
  readonly signal: AbortSignal
  /**
   * The trace ID of this request, with 12 characters. It is in the log and in
   * responses with a failure.
   */
  readonly traceId: string
  readonly log: RequestLog
  /** Hono's own context. `c.env` holds the raw bindings. */
  readonly c: Context<HonoEnvOf<T>>
  /**
   * Returns an ID that the app requires. If the issue has none, the agent sees
   * a card with the reason, and no failure is reported.
   *
   * @throws {NotAvailableError} `not_available`; do not catch it
   * @throws {SidecardError} `unknown_parameter` if the contract has no such ID
   */
  require(this: void, name: FetchDataParameter): string
  /** Keeps the runtime alive until the promise settles. Logs a rejection. */
  waitUntil(this: void, promise: PromiseLike<unknown>): void
}

/** The ID that identified the customer, and those that matched nothing. */
export interface IdentityMatch {
  readonly via: string
  readonly unmatched: readonly string[]
}
