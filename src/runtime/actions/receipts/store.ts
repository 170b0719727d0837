import type { Context } from 'hono'
import { readActionTest } from '../../internal/action-test.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import { runUserCode, runWithin, type TimeLimit } from '../../internal/user-code.ts'
import { isMemoryReceipts } from './memory-receipts.ts'
import type { ResolvedActions } from '../run/options.ts'
import { isReceiptList, isReceipts, type Receipt, type Receipts } from './receipts.ts'

/** The timeout of a store of receipts. */
export const STORE_MS = 5_000

const opened = new WeakMap<object, Map<unknown, Receipts>>()

/**
 * Returns the receipts of an environment, which are created once. A test may
 * provide its own.
 *
 * @throws {TypeError} if the option does not return receipts
 */
export async function openReceipts(
  actions: Pick<ResolvedActions, 'receipts'>,
  c: Context,
  env: unknown,
  limit: TimeLimit,
): Promise<Receipts> {
  const test = readActionTest(c)
  const source = test?.receipts ?? actions.receipts
  const owner = typeof c.env === 'object' && c.env !== null ? (c.env as object) : NO_ENV
  const known = opened.get(owner) ?? new Map<unknown, Receipts>()
  opened.set(owner, known)
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

/** Reads the receipts of an action and a link. @throws {TypeError} if the store returns something else */
export async function listReceipts(
  receipts: Receipts,
  actionKey: string,
  linkId: string,
): Promise<readonly Receipt[]> {
  const found: unknown = await callStore(() => receipts.list(actionKey, linkId))
  if (isReceiptList(found)) return found
  throw new TypeError('list() of the receipts must return a list of receipts.')
}
