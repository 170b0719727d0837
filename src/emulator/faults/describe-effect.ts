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
  switch (effect.type) {
    case 'delay':
      return effect.jitterMs === undefined || effect.jitterMs === 0
        ? `delay by ${effect.delayMs} ms`
        : `delay by ${effect.delayMs} to ${effect.delayMs + effect.jitterMs} ms`
    case 'status':
      return `return ${effect.status}`
    case 'reset':
      return 'close the connection'
    case 'hang_up':
      return `abort after ${effect.afterMs} ms`
    default:
      // The other effects apply to the API, which does not describe them.
      return effect.type
  }
}
