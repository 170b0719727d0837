import type { Context, Env } from 'hono'
import type { FetchDataParameter, FetchDataParams } from '../contract/parameters.ts'
import { NotAvailableError } from './not-available.ts'
import type { ResolvedOptions } from './options.ts'
import { type LogFields, type Logger, type LogLevel, writeLog } from '../internal/logger.ts'

/** The log of one request: each line carries its trace id. A logger that fails is ignored. */
export interface RequestLog {
  debug(msg: string, fields?: LogFields): void
  info(msg: string, fields?: LogFields): void
  warn(msg: string, fields?: LogFields): void
  error(msg: string, fields?: LogFields): void
}

/**
 * What `fetchData` is given. Everything but `params` is made when it is first
 * asked for, so what a callback does not use costs nothing; all of it may be
 * destructured.
 */
export interface FetchDataContext<E extends Env = Env> {
  /** The contract's seven ids; absent and empty are both `undefined`. @see docs/contract.md#requests */
  readonly params: FetchDataParams
  /** The bindings: of the Worker, or what `serve()` was given. */
  readonly env: E['Bindings']
  /**
   * Aborts at the deadline, and when the caller goes away (not with the option
   * `cache`, where others may be waiting too): hand it to `fetch` and to drivers.
   */
  readonly signal: AbortSignal
  /** Names this request in the log and in an answer with a fault. */
  readonly traceId: string
  readonly log: RequestLog
  /** Hono's own context. */
  readonly c: Context<E>
  /**
   * Gives an id that this app cannot do without. When the issue has none, the
   * agent sees a card that says so, and no error is counted.
   *
   * @throws {NotAvailableError} `not_available`; let it pass
   */
  require(this: void, name: FetchDataParameter): string
}

/** One `FetchDataContext`; `abort()` is for the framework. */
export class RequestContext<E extends Env> implements FetchDataContext<E> {
  readonly c: Context<E>
  readonly params: FetchDataParams
  readonly #logger: Logger
  readonly #followsCaller: boolean
  #abort: AbortController | undefined
  #abortReason: unknown
  #traceId: string | undefined

  constructor(c: Context<E>, params: FetchDataParams, app: ResolvedOptions<E>) {
    this.c = c
    this.params = params
    this.#logger = app.logger
    // An answer to be kept is made for everybody who asks for it, not only for this caller.
    this.#followsCaller = app.cache === undefined
  }

  /** A function of its own each time: it may be destructured. */
  get require() {
    const { params } = this
    return (name: FetchDataParameter): string => {
      const value = params[name]
      if (value === undefined) throw new NotAvailableError(name)
      return value
    }
  }

  get env(): E['Bindings'] {
    return this.c.env
  }

  get traceId(): string {
    return (this.#traceId ??= crypto.randomUUID())
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController())
      if (this.#abortReason !== undefined) abort.abort(this.#abortReason)
      const caller: AbortSignal | undefined = this.#followsCaller
        ? this.c.req.raw.signal
        : undefined
      if (caller?.aborted) abort.abort(caller.reason)
      else caller?.addEventListener('abort', () => abort.abort(caller.reason), { once: true })
    }
    return this.#abort.signal
  }

  get log(): RequestLog {
    const write = (level: LogLevel) => (msg: string, fields?: LogFields) =>
      writeLog(this.#logger, level, { msg, traceId: this.traceId, ...fields })
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    }
  }

  abort(reason: unknown): void {
    this.#abortReason = reason
    this.#abort?.abort(reason)
  }
}
