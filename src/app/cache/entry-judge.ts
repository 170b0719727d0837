import type { Env } from 'hono'
import { encodeAnswer } from '../encode-answer.ts'
import type { ResolvedOptions } from '../options.ts'
import type { CacheEntry } from './store.ts'

/** An entry that may be served. */
export interface Kept {
  readonly json: string
  readonly componentCount: number
  readonly isFresh: boolean
  readonly servableUntilMs: number
}

/**
 * An entry that was made here, of an answer that was just checked. Its private
 * fields cannot be had otherwise, so it needs no second look. A mark inside
 * rather than a WeakMap of all entries: that one keeps room for those that are
 * gone, and under load the process grows by it.
 */
class VouchedEntry implements CacheEntry {
  readonly json: string
  readonly storedAtMs: number
  readonly #judge: EntryJudge
  readonly #componentCount: number

  constructor(json: string, componentCount: number, judge: EntryJudge) {
    this.json = json
    this.storedAtMs = Date.now()
    this.#judge = judge
    this.#componentCount = componentCount
    Object.freeze(this)
  }

  /** `undefined` unless it was this judge who vouched for it. */
  static componentCountOf(entry: CacheEntry, judge: EntryJudge): number | undefined {
    return #judge in entry && entry.#judge === judge ? entry.#componentCount : undefined
  }
}

/** By how much the clocks of two machines may differ. */
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * Judges what a store gives back: whether it is an entry, how old it is, and
 * whether its JSON is a payload. Whoever can write to the store could otherwise
 * write to the sidebar.
 */
export class EntryJudge {
  readonly #ttlMs: number
  readonly #lifeMs: number

  constructor({ ttlMs, lifeMs }: { readonly ttlMs: number; readonly lifeMs: number }) {
    this.#ttlMs = ttlMs
    this.#lifeMs = lifeMs
  }

  /** Makes an entry of an answer that was just checked. */
  vouch(json: string, componentCount: number): CacheEntry {
    return new VouchedEntry(json, componentCount, this)
  }

  judge<E extends Env>(value: unknown, app: ResolvedOptions<E>): Kept | 'expired' | 'invalid' {
    try {
      const entry = value as CacheEntry
      const { json, storedAtMs } = entry
      if (typeof json !== 'string' || typeof storedAtMs !== 'number') return 'invalid'
      const ageMs = Date.now() - storedAtMs
      // Not a number, or from a future that no clock explains.
      if (!(ageMs >= -MAX_CLOCK_SKEW_MS)) return 'invalid'
      if (ageMs > this.#lifeMs) return 'expired'
      const isFresh = ageMs <= this.#ttlMs
      const servableUntilMs = storedAtMs + this.#lifeMs
      const componentCount = VouchedEntry.componentCountOf(entry, this)
      if (componentCount !== undefined) return { json, componentCount, isFresh, servableUntilMs }
      return { ...checked(json, app), isFresh, servableUntilMs }
    } catch {
      return 'invalid'
    }
  }
}

/** Writes it anew: what is served is what was checked. */
function checked<E extends Env>(json: string, app: ResolvedOptions<E>) {
  if (json.length > app.maxBodyBytes) throw new RangeError('An entry larger than any answer.')
  const payload = JSON.parse(json)
  return encodeAnswer(payload, payload.components, app)
}
