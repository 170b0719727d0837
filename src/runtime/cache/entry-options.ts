import { kind, milliseconds, required, withDefault } from '../internal/read-options.ts'
import { isStoreAdapter, type StoreAdapterSource } from './store-adapter.ts'

/** The options of both caches. */
export interface EntryOptions<Bindings> {
  /** The store in which content is cached. A function of the bindings is called once per environment. */
  readonly store: StoreAdapterSource<Bindings>
  /** How long cached content is fresh, in seconds. */
  readonly ttlSeconds: number
  /**
   * How long after `ttlSeconds` stale content is shown, in seconds, while it is
   * refreshed or after a failed refresh.
   * @default 0
   */
  readonly staleSeconds?: number
  /**
   * How long to wait for the store before loading the content, in milliseconds, at most 60,000.
   * @default 500
   */
  readonly storeTimeoutMs?: number
}

/** The options of both caches, after reading. */
export type ReadEntryOptions = Required<EntryOptions<never>>

/** The kinds of {@link EntryOptions}. */
export const ENTRY_OPTIONS = {
  store: required(
    kind(
      'a store, such as memoryStore(), or a function of env',
      (value) => typeof value === 'function' || isStoreAdapter(value),
    ),
  ),
  ttlSeconds: required(
    kind<number>('a positive number, up to 100 years', (value) => isDuration(value) && value > 0),
  ),
  staleSeconds: withDefault(kind<number>('0 or a positive number, up to 100 years', isDuration), 0),
  storeTimeoutMs: withDefault(milliseconds(1, 60_000), 500),
}

/**
 * Returns whether a value is a duration, up to a century, whose milliseconds are
 * still exact integers.
 */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3_155_760_000
}
