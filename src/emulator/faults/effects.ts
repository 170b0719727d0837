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

/** Returns why a request failed because of an injected fault, and what to do. */
export function explainFault(effect: FaultEffect) {
  return {
    message: `Fault injected by the emulator: ${describeEffect(effect)}.`,
    fix: 'Remove the fault on the Faults tab, and try again.',
  }
}

/** Describes an effect in a few words, such as "return 503". */
function describeEffect(effect: FaultEffect): string {
  if (effect.type === 'delay') {
    const { delayMs, jitterMs = 0 } = effect
    return `delay by ${delayMs}${jitterMs === 0 ? '' : ` to ${delayMs + jitterMs}`} ms`
  }
  if (effect.type === 'status') return `return ${effect.status}`
  if (effect.type === 'hang_up') return `abort after ${effect.afterMs} ms`
  // The other effects apply to the API, which does not describe them.
  return effect.type === 'reset' ? 'close the connection' : effect.type
}
