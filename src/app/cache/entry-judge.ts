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
  /** Entries that were made here, and never left: they need no second look. */
  readonly #vouchedFor = new WeakMap<object, number>()

  constructor({ ttlMs, lifeMs }: { readonly ttlMs: number; readonly lifeMs: number }) {
    this.#ttlMs = ttlMs
    this.#lifeMs = lifeMs
  }

  /** Makes an entry of an answer that was just checked. */
  vouch(json: string, componentCount: number): CacheEntry {
    const entry = Object.freeze({ json, storedAtMs: Date.now() })
    this.#vouchedFor.set(entry, componentCount)
    return entry
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
      const componentCount = this.#vouchedFor.get(entry)
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
