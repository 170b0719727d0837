import type { Context, Env } from 'hono'
import { SidecardError } from '../../errors.ts'
import { isThenable } from '../../internal/is-thenable.ts'
import type { RequestContext } from '../context.ts'
import { Deadline } from '../deadline.ts'
import { runFetchData } from '../fetch-data.ts'
import type { ResolvedOptions } from '../options.ts'
import { failedOutcome, type Outcome } from '../outcome.ts'
import { logOutcome, warnOfCache } from '../request-log.ts'
import { cacheKey } from './cache-key.ts'
import {
  type CacheOptions,
  type ResolvedCacheOptions,
  resolveCacheOptions,
} from './cache-options.ts'
import { EntryJudge, type Kept } from './entry-judge.ts'
import type { AnswerPlace, OpenCache } from './store.ts'

/** One answer in the making, for everybody who asks for it meanwhile. */
interface Flight {
  readonly outcome: Promise<Outcome>
  joinableUntilMs: number
}

/** What one request needs on its way through the cache. */
interface Passage<E extends Env> {
  readonly key: string
  readonly place: AnswerPlace
  readonly ctx: RequestContext<E>
  readonly app: ResolvedOptions<E>
}

/**
 * Answers from what is kept, and asks `fetchData` otherwise: once, however many
 * ask at the same time. Never rejects, and never costs an answer: without a
 * usable key or store it is as if there were no cache.
 */
export class AnswerCache<E extends Env> implements OpenCache<E> {
  readonly #placeOf: (env: E['Bindings']) => AnswerPlace
  readonly #options: ResolvedCacheOptions<E>
  readonly #judge: EntryJudge
  readonly #flights = new Map<string, Flight>()

  constructor(placeOf: (env: E['Bindings']) => AnswerPlace, options: CacheOptions<E>) {
    this.#placeOf = placeOf
    this.#options = resolveCacheOptions(options)
    this.#judge = new EntryJudge(this.#options)
  }

  async answer(ctx: RequestContext<E>, app: ResolvedOptions<E>): Promise<Outcome> {
    const passage = this.#passageOf(ctx, app)
    if (passage === undefined) return runFetchData(ctx, app)
    const flight = this.#flights.get(passage.key)
    if (flight !== undefined && Date.now() < flight.joinableUntilMs) {
      return this.#join(flight, passage)
    }
    const reading = this.#read(passage)
    // What is in this process is there at once, and needs no flight.
    if (!isThenable(reading) && reading?.isFresh) return served(reading, 'hit')
    return this.#takeOff(passage, this.#resolve(passage, reading))
  }

  #passageOf(ctx: RequestContext<E>, app: ResolvedOptions<E>): Passage<E> | undefined {
    try {
      const key = cacheKey(ctx, this.#options.key)
      return key === undefined ? undefined : { key, place: this.#placeOf(ctx.env), ctx, app }
    } catch (error) {
      const isKey = error instanceof SidecardError && error.code === 'invalid_cache_key'
      warnOfCache(app, isKey ? 'invalid_cache_key' : 'cache_unusable', error)
      return undefined
    }
  }

  /** Not joined for longer than a flight can take: on Workers one ends unheard with its request. */
  #takeOff(passage: Passage<E>, outcome: Promise<Outcome>): Promise<Outcome> {
    const { key, ctx, app } = passage
    const mayTakeMs = app.timeoutMs + 2 * this.#options.storeTimeoutMs
    const flight: Flight = { outcome, joinableUntilMs: Date.now() + mayTakeMs }
    this.#flights.set(key, flight)
    const landing = outcome
      .then((resolved) => this.#land(resolved, flight, passage))
      .finally(() => {
        if (this.#flights.get(key) === flight) this.#flights.delete(key)
      })
    keepAlive(ctx.c, landing)
    return outcome
  }

  async #join({ outcome }: Flight, { ctx, app }: Passage<E>): Promise<Outcome> {
    const patience = new Deadline(app.timeoutMs + 2 * this.#options.storeTimeoutMs, () => undefined)
    try {
      return await patience.race(outcome)
    } catch (error) {
      return failedOutcome(error, true, ctx, app)
    } finally {
      patience.clear()
    }
  }

  async #resolve(
    { ctx, app }: Passage<E>,
    reading: Kept | undefined | Promise<Kept | undefined>,
  ): Promise<Outcome> {
    const kept = await reading
    if (kept !== undefined) return served(kept, kept.isFresh ? 'hit' : 'stale')
    return { ...(await runFetchData(ctx, app)), cache: 'miss' }
  }

  /** What remains to be done behind the answer; whoever asks meanwhile gets the same one. */
  async #land(outcome: Outcome, flight: Flight, passage: Passage<E>): Promise<void> {
    if (outcome.cache === 'miss') return this.#write(outcome, passage)
    if (outcome.cache !== 'stale') return
    const { ctx, app } = passage
    flight.joinableUntilMs = Math.min(flight.joinableUntilMs, outcome.servableUntilMs ?? 0)
    const refreshed: Outcome = { ...(await runFetchData(ctx, app)), cache: 'refresh' }
    if (refreshed.kind !== 'ok') logOutcome(refreshed, undefined, app, Date.now())
    await this.#write(refreshed, passage)
  }

  #read({ place, key, app }: Passage<E>): Kept | undefined | Promise<Kept | undefined> {
    const judge = (entry: unknown): Kept | undefined => {
      if (entry === undefined || entry === null) return undefined
      const kept = this.#judge.judge(entry, app)
      if (kept === 'invalid') warnOfCache(app, 'invalid_entry')
      return typeof kept === 'object' ? kept : undefined
    }
    try {
      const reading = place.get(key)
      return isThenable(reading) ? this.#inTime(reading, app).then(judge) : judge(reading)
    } catch (error) {
      warnOfCache(app, 'store_failed', error)
      return undefined
    }
  }

  async #write({ kind, json, componentCount }: Outcome, passage: Passage<E>): Promise<void> {
    if (kind !== 'ok') return
    const { place, key, app } = passage
    try {
      const entry = this.#judge.vouch(json, componentCount)
      const writing = place.set(key, entry, this.#options.lifeMs / 1_000)
      if (isThenable(writing)) await this.#inTime(writing, app)
    } catch (error) {
      warnOfCache(app, 'store_failed', error)
    }
  }

  /** Waits for a store, but not long; a store that fails or is late gave nothing. */
  async #inTime<T>(work: PromiseLike<T>, app: ResolvedOptions<E>): Promise<T | undefined> {
    const deadline = new Deadline(this.#options.storeTimeoutMs, () => undefined)
    try {
      return await deadline.race(work)
    } catch (error) {
      warnOfCache(app, deadline.reason === undefined ? 'store_failed' : 'store_late', error)
      return undefined
    } finally {
      deadline.clear()
    }
  }
}

const NO_FAULTS: Outcome['childFaults'] = []

function served({ json, componentCount, servableUntilMs }: Kept, cache: 'hit' | 'stale'): Outcome {
  return {
    json,
    componentCount,
    kind: 'ok',
    traceId: undefined,
    childFaults: NO_FAULTS,
    cache,
    servableUntilMs,
  }
}

/** A Worker ends with its answer, unless it is asked to wait; elsewhere there is nobody to ask. */
function keepAlive<E extends Env>(c: Context<E>, work: Promise<unknown>): void {
  try {
    c.executionCtx.waitUntil(work)
  } catch {
    // No execution context: a process lives on by itself.
  }
}
