import type { FaultEffect } from './rules.ts'

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
