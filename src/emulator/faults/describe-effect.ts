import type { FaultEffect } from './rules.ts'

/** Describes an effect in a few words, such as "return 503". */
export function describeEffect(effect: FaultEffect): string {
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
