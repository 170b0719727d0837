import type { Context } from 'hono'
import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../contract/parameters.ts'
import { SidecardError } from '../internal/errors.ts'
import { closestMatch } from '../internal/closest-match.ts'
import type { Failure } from '../internal/failure-detail.ts'
import { type LogFields, type LogLevel, writeLog } from '../internal/logger.ts'
import { createTraceId } from '../internal/trace-id.ts'
import type { BindingsOf, HonoEnvOf } from './bindings.ts'
import {
  type ContextInternals,
  type FetchDataContext,
  type IdentityMatch,
  INTERNALS,
  type RequestLog,
} from './context.ts'
import { NotAvailableError } from './designed-card.ts'
import type { ResponseRecord, SpanName } from './instrument.ts'
import { describeError } from './log-error.ts'
import type { Messages } from './messages.ts'
import type { Outcome } from './outcome.ts'
import { createObserver, type Observer } from './observe.ts'
import type { ResolvedOptions } from './options.ts'

/** The state of one data fetch. */
export class RequestContext<T> implements FetchDataContext<T>, ContextInternals {
  readonly c: Context<HonoEnvOf<T>>
  readonly params: FetchDataParams
  readonly env: BindingsOf<T>
  readonly startedAtMs = Date.now()
  readonly failures: Failure[] = []
  readonly sectionCaches: Array<ResponseRecord['sectionCaches'][number]> = []
  readonly observer: Observer | undefined
  match: IdentityMatch | undefined
  readonly #app: ResolvedOptions<T>
  #abort: AbortController | undefined
  #abortReason: unknown
  #traceId: string | undefined

  constructor(
    c: Context<HonoEnvOf<T>>,
    params: FetchDataParams,
    env: BindingsOf<T>,
    app: ResolvedOptions<T>,
  ) {
    this.c = c
    this.params = params
    this.env = env
    this.#app = app
    this.observer =
      app.instruments.length === 0
        ? undefined
        : createObserver(app.instruments, this.startedAtMs, (error) =>
            this.#warn('sidecard instrument', error),
          )
  }

  /** Creates the context of a call that runs behind this request. */
  renew(): RequestContext<T> {
    return new RequestContext(this.c, this.params, this.env, this.#app)
  }

  /** Returns the parts of the outcome that the context knows. */
  result(isDesigned = false): Pick<Outcome, 'failures' | 'match' | 'traceId'> {
    const { failures, match } = this
    return {
      failures,
      match,
      traceId: isDesigned || failures.length > 0 ? this.traceId : undefined,
    }
  }

  get [INTERNALS](): ContextInternals {
    return this
  }

  get messages(): Messages {
    return this.#app.messages
  }

  get require() {
    const { params } = this
    return (name: FetchDataParameter): string => {
      if (!FETCH_DATA_PARAMETERS.includes(name)) throw unknownParameter(name)
      const value = params[name]
      if (value === undefined) throw new NotAvailableError(name)
      return value
    }
  }

  get traceId(): string {
    return (this.#traceId ??= createTraceId())
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController())
      if (this.#abortReason !== undefined) abort.abort(this.#abortReason)
      const caller = this.#app.cache === undefined ? this.c.req.raw.signal : undefined
      if (caller?.aborted) abort.abort(caller.reason)
      else caller?.addEventListener('abort', () => abort.abort(caller.reason), { once: true })
    }
    return this.#abort.signal
  }

  /** Whether the caller disconnected. */
  get isAbandoned(): boolean {
    return this.#app.cache === undefined && this.c.req.raw.signal.aborted
  }

  get log(): RequestLog {
    const write = (level: LogLevel) => (msg: string, fields?: LogFields) =>
      writeLog(this.#app.logger, level, { msg, traceId: this.traceId, ...fields })
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    }
  }

  get waitUntil() {
    return (promise: PromiseLike<unknown>): void => {
      const handled = Promise.resolve(promise).then(
        () => undefined,
        (error: unknown) => this.#warn('sidecard waitUntil', error),
      )
      keepAlive(this.c, handled)
    }
  }

  abort(reason: unknown): void {
    this.#abortReason = reason
    this.#abort?.abort(reason)
  }

  recordMatch(match: IdentityMatch): void {
    this.match ??= match
  }

  span<R>(
    name: SpanName,
    attributes: Readonly<Record<string, string>>,
    run: () => Promise<R>,
  ): Promise<R> {
    return this.observer?.span(name, attributes, run) ?? run()
  }

  #warn(msg: string, error: unknown): void {
    writeLog(this.#app.logger, 'warn', {
      msg,
      traceId: this.traceId,
      error: describeError(error, this.#app.logErrors),
    })
  }
}

/** Hono's getter throws where the runtime has no execution context, as on Node. */
function keepAlive(c: Context, promise: Promise<unknown>): void {
  try {
    c.executionCtx.waitUntil(promise)
  } catch {
    // The process stays alive by itself.
  }
}

function unknownParameter(name: unknown): SidecardError {
  const suggestion = closestMatch(String(name), FETCH_DATA_PARAMETERS)
  const fix =
    suggestion === undefined
      ? `Use one of ${FETCH_DATA_PARAMETERS.join(', ')}.`
      : `Did you mean ${suggestion}?`
  return new SidecardError('unknown_parameter', `ctx.require: the contract has no such ID. ${fix}`)
}
