import { SidecardError } from '../internal/errors.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'
import { isStoreAdapter } from './store-adapter.ts'

/** Throws unless an option is valid. `expected` completes the sentence "x must be …". */
export function assertOption(
  isValid: boolean,
  caller: string,
  name: string,
  expected: string,
): asserts isValid {
  if (!isValid)
    throw new SidecardError('invalid_options', `${caller}: ${name} must be ${expected}.`)
}

/** Throws unless `options` is an object with known options only. */
export function assertOptions(caller: string, options: unknown, known: readonly string[]): void {
  assertOption(typeof options === 'object' && options !== null, caller, 'the argument', 'an object')
  const problem = describeUnknownName('option', options, known)
  if (problem !== undefined) throw new SidecardError('invalid_options', `${caller}: ${problem}`)
}

/** The options of both caches. */
export interface EntryCacheOptions {
  readonly store: unknown
  readonly ttlSeconds: number
  readonly staleSeconds?: number
  readonly storeTimeoutMs?: number
}

/**
 * The lifetimes of an entry: how long it is fresh, and how long it can be served,
 * in milliseconds.
 */
export interface Lifetimes {
  readonly ttlMs: number
  /** The sum of `ttlSeconds` and `staleSeconds`. */
  readonly lifeMs: number
  readonly storeTimeoutMs: number
}

/** Validates the options of both caches, and applies the defaults. */
export function resolveLifetimes(caller: string, options: EntryCacheOptions): Lifetimes {
  const { store, ttlSeconds, staleSeconds = 0, storeTimeoutMs = 500 } = options
  const isStore = typeof store === 'function' || isStoreAdapter(store)
  assertOption(isStore, caller, 'store', 'a store, such as memoryStore(), or a function of env')
  const isTtl = isDuration(ttlSeconds) && ttlSeconds > 0
  assertOption(isTtl, caller, 'ttlSeconds', 'a positive number, up to 100 years')
  assertOption(
    isDuration(staleSeconds),
    caller,
    'staleSeconds',
    '0 or a positive number, up to 100 years',
  )
  const isTimeout =
    typeof storeTimeoutMs === 'number' && storeTimeoutMs >= 1 && storeTimeoutMs <= 60_000
  assertOption(isTimeout, caller, 'storeTimeoutMs', 'a number from 1 to 60,000')
  return { ttlMs: ttlSeconds * 1_000, lifeMs: (ttlSeconds + staleSeconds) * 1_000, storeTimeoutMs }
}

/** The limit is a century, whose milliseconds are still exact integers. */
function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 3_155_760_000
}
