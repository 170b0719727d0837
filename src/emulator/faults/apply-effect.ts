import type { Sleep } from '../sleep.ts'
import { ConnectionReset } from './corrupt.ts'
import type { FaultEngine } from './engine.ts'
import type { FaultEffect } from './rules.ts'

/**
 * Applies an effect before a request is handled: waits, closes the connection, or
 * returns the status and the headers of the response.
 *
 * @throws {ConnectionReset}
 */
export async function applyEffect(
  effect: FaultEffect | undefined,
  { faults, sleep }: { readonly faults: FaultEngine; readonly sleep: Sleep },
  signal: AbortSignal,
): Promise<{ status: number; headers: Record<string, string> } | undefined> {
  if (effect?.type === 'delay') await sleep(faults.delayMs(effect), signal)
  if (effect?.type === 'reset') throw new ConnectionReset('A fault closed the connection.')
  if (effect?.type !== 'status') return undefined
  const { status, retryAfterSeconds: seconds } = effect
  return { status, headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } }
}
