import type { Context } from 'hono'
import type { RequestLog } from '../../app/request/context.ts'
import { readActionTest } from '../../internal/action-test.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import { runUserCode, runWithin, type TimeLimit } from '../../internal/user-code.ts'
import { isMemoryReceipts } from './memory-receipts.ts'
import { isReceipt, isReceipts, type Receipt, type Receipts } from './receipts.ts'
import { change, type ReceiptChange } from './states.ts'

/** The timeout of a store of receipts. */
const STORE_MS = 5_000

const opened = new WeakMap<object, Map<unknown, Receipts>>()

/**
 * Returns the receipts of an environment, which are created once. A test may
 * provide its own.
 *
 * @throws {TypeError} if the option does not return receipts
 */
export async function openReceipts(
  option: unknown,
  c: Context,
  env: unknown,
  limit: TimeLimit,
): Promise<Receipts> {
  const test = readActionTest(c)
  const source = test?.receipts ?? option
  const key = typeof c.env === 'object' && c.env !== null ? (c.env as object) : NO_ENV
  const known = opened.get(key) ?? new Map<unknown, Receipts>()
  opened.set(key, known)
  const receipts =
    known.get(source) ??
    (typeof source === 'function' ? await runUserCode(() => source(env) as unknown, limit) : source)
  if (!isReceipts(receipts)) throw new TypeError('The option receipts did not return receipts.')
  if (isMemoryReceipts(receipts) && isWorker() && test === undefined) {
    throw new TypeError(
      'memoryReceipts() cannot run on Workers. Use d1Receipts() or postgresReceipts().',
    )
  }
  // Concurrent requests may both have created receipts, but must share the first ones.
  const first = known.get(source) ?? receipts
  known.set(source, first)
  return first
}

const NO_ENV = {}

function isWorker(): boolean {
  return readProperty(readProperty(globalThis, 'navigator'), 'userAgent') === 'Cloudflare-Workers'
}

/** Calls a method of receipts within its timeout. */
export function callStore<T>(run: () => T | PromiseLike<T>): Promise<Awaited<T>> {
  return runWithin(STORE_MS, run)
}

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000
/** How often others may change a receipt at the same time before this counts as a failure. */
const MAX_CHANGES = 3

/** Waits, but does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms)
    // On Workers, a timer is a number.
    ;(timer as { unref?(): void }).unref?.()
  })
}

/**
 * Changes a receipt, and repeats this until the store has it, until the process
 * stops. Returns the stored receipt, which may already say more.
 *
 * @param log receives each error of the store
 * @param tries how often it is tried; after the last one, it returns nothing
 */
export async function writeReceipt(
  receipts: Receipts,
  receipt: Receipt,
  to: ReceiptChange,
  log: Pick<RequestLog, 'warn'>,
  tries = Infinity,
): Promise<Receipt | undefined> {
  let base = receipt
  for (let count = 1, pauseMs = FIRST_PAUSE_MS; ; count += 1) {
    const next = change(base, to)
    if (next === undefined) return base
    try {
      // oxlint-disable-next-line no-await-in-loop -- one write after another
      const stored: unknown = await callStore(() => receipts.settle(next))
      if (stored === true || stored === undefined) return next
      if (!isReceipt(stored)) throw new TypeError('settle() must return true or a receipt.')
      base = stored
      if (count > MAX_CHANGES) throw new Error('The receipt keeps changing.')
    } catch (error) {
      log.warn('sidecard actions', { problem: 'receipt not written', error })
    }
    if (count >= tries) return undefined
    // oxlint-disable-next-line no-await-in-loop -- as above
    await pause(pauseMs)
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
  }
}
