import type { Context } from 'hono'
import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../../contract/parameters.ts'
import type { IdentifiedCustomer, ShownSubject } from '../../internal/cache-types.ts'
import { closestMatch } from '../../internal/closest-match.ts'
import { SidecardError } from '../../internal/errors.ts'
import { isThenable, readProperty } from '../../internal/hostile-values.ts'
import { forEachLevel, type LogFields, writeLog } from '../../internal/logger.ts'
import { createTraceId } from '../../internal/trace-id.ts'
import {
  consumeRejections,
  type Deadline,
  runUserCode,
  type TimeLimit,
  type Wrap,
} from '../../internal/user-code.ts'
import type { FetchDataContext, IdentityMatch, RequestLog } from './context.ts'
import { NotAvailableError } from '../designed-card.ts'
import { readConditionsHeader } from './developer-request.ts'
import type { ResponseRecord, SpanName } from '../observe/instrument.ts'
import { describeError } from '../observe/log-error.ts'
import { type IsHidden, toLogFields } from './log-fields.ts'
import { createObserver, type Observer } from '../observe/observe.ts'
import type { ResolvedOptions } from '../resolve-options.ts'
import type { ProblemCode } from './problem.ts'

/** The status in logs and records if the caller disconnected before the response. */
export const DISCONNECTED_STATUS = 499

const MAX_MESSAGE_LENGTH = 10_000

/** The state of one data fetch. User code sees the part that `FetchDataContext` has. */
export class RequestContext implements FetchDataContext<unknown> {
  readonly c: Context
  readonly params: FetchDataParams
  readonly env: unknown
  readonly startedAtMs = Date.now()
  readonly app: ResolvedOptions
  readonly deadline: Deadline
  readonly sectionCaches: Array<ResponseRecord['sectionCaches'][number]> = []
  /** The cached sections that the response shows. */
  readonly shown: ShownSubject[] = []
  readonly observer: Observer | undefined
  /** The first match, for the log and the audit record. */
  match: IdentityMatch | undefined
  /** Set by a part of the app that rejects the request. */
  rejection: ProblemCode | undefined
  /** Returns the headers that a part of the app adds to the response. */
  moreHeaders: (() => Readonly<Record<string, string>>) | undefined
  /** The customers that were found, in the order of the calls of `identify()`. */
  readonly #customers: Array<IdentifiedCustomer | undefined> = []
  readonly #sectionSignals = new WeakSet<AbortSignal>()
  #isInSection = false
  #followsCaller = false
  #traceId: string | undefined

  constructor(
    c: Context,
    params: FetchDataParams,
    env: unknown,
    app: ResolvedOptions,
    deadline: Deadline,
  ) {
    this.c = c
    this.params = params
    this.env = env
    this.app = app
    this.deadline = deadline
    if (app.instruments.length > 0) {
      this.observer = createObserver(app.instruments, this.startedAtMs, (error) =>
        this.#warn('sidecard instrument', error),
      )
    }
  }

  /** Keeps the app itself out of a logged context. */
  toJSON(): object {
    const { traceId, params } = this
    return { traceId, params }
  }

  /** The unparsed section conditions. A request with conditions bypasses all caches. */
  get conditionsHeader(): string | undefined {
    return readConditionsHeader(this.c)
  }

  /** All customers that were found outside sections. */
  get customers(): readonly IdentifiedCustomer[] {
    return this.#customers.filter((customer) => customer !== undefined)
  }

  /**
   * Starts to identify a customer, and returns the function that adds them. Customers
   * that a section identifies do not count, because they are part of its content.
   */
  expectCustomer(signal: AbortSignal): (customer: IdentifiedCustomer) => void {
    if (this.#isInSection || this.#sectionSignals.has(signal)) return () => undefined
    const index = this.#customers.push(undefined) - 1
    return (customer) => {
      this.#customers[index] = customer
    }
  }

  /** Calls the function that loads a section. */
  callLoad<R>(load: (signal: AbortSignal) => R, signal: AbortSignal): R {
    if (signal !== this.signal) this.#sectionSignals.add(signal)
    this.#isInSection = true
    try {
      return load(signal)
    } finally {
      this.#isInSection = false
    }
  }

  // These getters return functions, so that they still work after the context is destructured.

  get require() {
    const { params } = this
    return (name: FetchDataParameter): string => {
      if (!FETCH_DATA_PARAMETERS.includes(name)) throw unknownParameter(name)
      const value = params[name]
      if (value === undefined || value.trim() === '') throw new NotAvailableError(name)
      return value
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

  get log(): RequestLog {
    return forEachLevel((level) => (msg, fields) => {
      const own = {
        msg: typeof msg === 'string' ? msg.slice(0, MAX_MESSAGE_LENGTH) : msg,
        app: this.app.name,
        traceId: this.traceId,
      }
      writeLog(this.app.logger, level, toLogFields(own, fields, this.#isSecret))
    })
  }

  /** Returns whether a value is left out of log lines: objects of the app, and copied bindings. */
  get #isSecret(): IsHidden {
    const { c, env, app, deadline, observer } = this
    const objects: unknown[] = [c, env, c.env, app, deadline, observer]
    return (name, value) => {
      if (value === undefined || value === null) return false
      // The bindings may be a string, which a field may contain by chance.
      if (Object(value) === value && objects.includes(value)) return true
      return [env, c.env].some((each: unknown) => readProperty(each, name) === value)
    }
  }

  get traceId(): string {
    return (this.#traceId ??= createTraceId())
  }

  get signal(): AbortSignal {
    if (!this.#followsCaller) {
      this.#followsCaller = true
      const caller = this.#callerSignal
      const abort = () => this.deadline.abort(caller?.reason)
      if (caller?.aborted) abort()
      else caller?.addEventListener('abort', abort, { once: true })
    }
    return this.deadline.signal
  }

  /** Whether the caller disconnected. */
  get isAbandoned(): boolean {
    return this.#callerSignal?.aborted === true
  }

  get #callerSignal(): AbortSignal | undefined {
    return this.c.req.raw.signal
  }

  /**
   * Waits for a store. The time does not count against the timeouts of `fetchData`
   * and the sections.
   */
  untimed<R>(run: () => Promise<R>): Promise<R> {
    return this.deadline.pause(run)
  }

  /** Runs work within a span of the option `instrument`. */
  span<R>(
    name: SpanName,
    attributes: Readonly<Record<string, string>>,
    run: () => Promise<R>,
  ): Promise<R> {
    return this.observer?.span(name, attributes, run) ?? run()
  }

  /** Runs user code within a span and a time limit. See {@link runUserCode}. */
  run<T, R = Awaited<T>>(
    name: SpanName,
    attributes: Readonly<Record<string, string>>,
    run: () => T | PromiseLike<T>,
    limit: TimeLimit = this.deadline,
    use?: (result: Awaited<T>) => R | PromiseLike<R>,
  ): Promise<R> {
    const wrap: Wrap | undefined = this.observer && ((work) => this.span(name, attributes, work))
    return runUserCode(run, limit, use, wrap)
  }

  /** Logs that a cache could not be used; the request continues without it. */
  warnOfCache(problem: string, error?: unknown, about?: LogFields): void {
    this.#warn('sidecard cache', error, { problem, ...about })
  }

  #warn(msg: string, error: unknown, more?: LogFields): void {
    const { name: app, logErrors, logger } = this.app
    writeLog(logger, 'warn', {
      msg,
      app,
      traceId: this.traceId,
      ...more,
      ...(error !== undefined && { error: describeError(error, logErrors) }),
    })
  }
}

/**
 * Passes a promise to the host, if it has an execution context. Hono's getter
 * throws if it has none.
 */
function keepAlive(c: Context, promise: Promise<unknown>): void {
  try {
    c.executionCtx.waitUntil(promise)
  } catch {
    // A host without an execution context keeps running by itself.
  }
}

function unknownParameter(name: unknown): SidecardError {
  const isPromise = isThenable(name)
  if (isPromise) consumeRejections(name)
  const suggestion =
    typeof name === 'string' ? closestMatch(name, FETCH_DATA_PARAMETERS) : undefined
  const problem = isPromise ? 'the name is a promise: await it' : 'the contract has no such ID'
  const fix =
    suggestion === undefined
      ? `Use one of ${FETCH_DATA_PARAMETERS.join(', ')}.`
      : `Did you mean ${suggestion}?`
  return new SidecardError('unknown_parameter', `ctx.require: ${problem}. ${fix}`)
}
