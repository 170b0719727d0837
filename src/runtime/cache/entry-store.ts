import type { CacheScope } from '../internal/cache-types.ts'
import { hash } from './cache-key.ts'
import { ENTRY_FORMAT, type Entry, parseEntry, serializeEntry } from './entry.ts'
import type { ReadEntryOptions } from './entry-options.ts'
import { GuardedStore, PAUSE_MS } from './guarded-store.ts'
import { OwnMarks } from './own-marks.ts'
import type { StoreAdapter } from './store-adapter.ts'

/** A valid entry that has not expired. */
export interface FoundEntry extends Entry {
  readonly isFresh: boolean
}

/** The place of a request's entry. */
export interface Place {
  readonly entry: string
  readonly mark: string
  /** The subject of the content, independent of the URL. It names the mark. */
  readonly subject: string
}

/** The content of the store at a place. */
export interface Found {
  readonly found: FoundEntry | undefined
  /**
   * The mark of the subject. Content that is loaded from now on is valid until the
   * mark changes.
   */
  readonly mark: string
  /** Whether the store has no entry of this name, not even an invalid one. */
  readonly isAbsent: boolean
}

/** The URL of the last request, with its hash and its newest places. Creating them costs as much as a read. */
interface LastUrl {
  readonly url: string
  readonly name: string
  readonly places: Map<string, Place>
}

const MAX_PLACES = 2_000
const MAX_KEY_LENGTH = 500

/** The tolerated difference between the clocks of two machines. */
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * Marks live an hour longer than entries, so that no entry outlives the mark that
 * invalidated it.
 */
const EXTRA_SECONDS = 3_600

/** The length of a subject: 64 bits in hexadecimal, which action links contain. */
const SUBJECT_LENGTH = 16

/** The parts of an entry's name, in hexadecimal: 160 bits of the key, and 96 of the URL. */
const KEY_LENGTH = 40
const URL_LENGTH = 24

/** An entry contains its mark in one line. */
const MARK = /^[^\n]{0,100}$/

/**
 * The entries of one environment in a store. An entry is only valid if its load
 * started after the last invalidation. Each invalidation replaces the mark of the
 * subject, and an entry contains the mark that its load saw, so no clocks are
 * compared.
 */
export class EntryStore {
  readonly #store: GuardedStore
  readonly #marks = new OwnMarks()
  readonly #ttlMs: number
  /** How long an entry is shown, in seconds. */
  readonly lifeSeconds: number
  /** The URL of the last request, because most apps have one. */
  #lastUrl: LastUrl | undefined
  #hasSeveralUrls = false
  #isRetrying = false

  constructor(
    { store, storeTimeoutMs: timeoutMs, ttlSeconds, staleSeconds }: ReadEntryOptions,
    saltFor: (adapter: StoreAdapter) => string,
  ) {
    const source = (env: unknown) => (typeof store === 'function' ? store(env as never) : store)
    const onRecovery = (ctx: CacheScope) => this.#writeMarks(ctx)
    this.#store = new GuardedStore({ source, saltFor, timeoutMs, onRecovery })
    this.#ttlMs = ttlSeconds * 1_000
    this.lifeSeconds = ttlSeconds + staleSeconds
  }

  /** Whether only this process writes entries, and only for one URL. */
  get hasOneWriter(): boolean {
    return this.#store.isMemory && !this.#hasSeveralUrls
  }

  /** Returns the place of a key. Stores see neither the key nor the URL. */
  async locate(ctx: CacheScope, url: string, key: string): Promise<Place> {
    await this.#store.open(ctx)
    let last = this.#lastUrl
    const known = last?.url === url ? last.places.get(key) : undefined
    if (known !== undefined) return known
    const own = await hash(key)
    if (last?.url !== url) {
      const name = (await hash(`${ENTRY_FORMAT} ${url}`)).slice(0, URL_LENGTH)
      last = { url, name, places: new Map() }
      this.#hasSeveralUrls = (this.#lastUrl ?? last).url !== url || this.#hasSeveralUrls
      this.#lastUrl = last
    }
    const subject = own.slice(0, SUBJECT_LENGTH)
    const entry = `sidecard:${own.slice(0, KEY_LENGTH)}${last.name}`
    const place = { entry, mark: nameMark(subject), subject }
    const { places } = last
    if (places.size >= MAX_PLACES) places.clear()
    if (key.length <= MAX_KEY_LENGTH) places.set(key, place)
    return place
  }

  /** Returns the subject of a key, and opens the store for its mark. */
  async findSubject(ctx: CacheScope, key: string): Promise<string> {
    await this.#store.open(ctx)
    return (await hash(key)).slice(0, SUBJECT_LENGTH)
  }

  async read(place: Place, ctx: CacheScope, isValid: (entry: Entry) => boolean): Promise<Found> {
    const { values, outageMark } = await this.#store.read(ctx, [place.entry, place.mark])
    const [text, seen] = values
    const mark = this.#marks.current(place.subject, outageMark ?? readMark(seen))
    const isAbsent = text === undefined || text === null
    const none = { found: undefined, mark, isAbsent }
    if (isAbsent) return none
    const { isMemory } = this.#store
    const entry = parseEntry(text, place.entry)
    const ageMs = entry === undefined ? NaN : Date.now() - entry.startedAtMs
    if (ageMs > this.lifeSeconds * 1_000) return none
    const isTrusted = isMemory || outageMark !== undefined
    if (entry !== undefined && ageMs >= -MAX_CLOCK_SKEW_MS && (isTrusted || isValid(entry))) {
      if (entry.mark !== mark) return none
      return { ...none, found: { ...entry, isFresh: ageMs <= this.#ttlMs } }
    }
    ctx.warnOfCache('invalid_entry')
    return none
  }

  async write(place: Place, ctx: CacheScope, entry: Entry): Promise<void> {
    const text = serializeEntry(place.entry, entry)
    await this.#store.write(ctx, place.entry, text, this.lifeSeconds)
  }

  /** Invalidates all entries of a subject. In this process, this takes effect immediately. */
  async invalidate(subject: string, ctx: CacheScope): Promise<void> {
    if (!(await this.#writeMark(subject, ctx))) this.#retryLater(ctx)
  }

  async #writeMark(subject: string, ctx: CacheScope): Promise<boolean> {
    const mark = this.#marks.renew(subject)
    const lifeSeconds = this.lifeSeconds + EXTRA_SECONDS
    const isWritten = await this.#store.write(ctx, nameMark(subject), mark, lifeSeconds)
    if (isWritten) this.#marks.settle(subject, mark)
    return isWritten
  }

  /** Writes the marks that the store does not have yet. */
  async #writeMarks(ctx: CacheScope): Promise<void> {
    for (const subject of this.#marks.pending) {
      // oxlint-disable-next-line no-await-in-loop -- do not overload a store that has just recovered
      if (!(await this.#writeMark(subject, ctx))) return
    }
  }

  /** Retries even if no request arrives. On Workers, timers end with the request. */
  #retryLater(ctx: CacheScope): void {
    if (this.#isRetrying) return
    this.#isRetrying = true
    const retry = async () => {
      await this.#store.retry(ctx)
      this.#isRetrying = false
      if (this.#marks.pending.length > 0) this.#retryLater(ctx)
    }
    const timer = setTimeout(() => void retry(), PAUSE_MS)
    // This timer must not keep the process alive.
    ;(timer as { unref?(): void }).unref?.()
  }
}

function nameMark(subject: string): string {
  return `sidecard:${subject}`
}

function readMark(seen: unknown): string {
  return typeof seen === 'string' && MARK.test(seen) ? seen : ''
}
