import type { FaultEffect, FaultRule } from '../../emulator/faults/rules.ts'
import { plural } from '../core/format.ts'

/** Describes an effect in words. */
export function formatEffect(effect: FaultEffect): string {
  switch (effect.type) {
    case 'delay': {
      const { delayMs, jitterMs = 0 } = effect
      return `delays responses by ${delayMs}${jitterMs === 0 ? '' : ` to ${delayMs + jitterMs}`} ms`
    }
    case 'status': {
      const wait = effect.retryAfterSeconds
      return `returns ${effect.status}${wait === undefined ? '' : `, Retry-After: ${wait}`}`
    }
    case 'reset':
      return 'closes the connection'
    case 'cut_off':
      return 'truncates the body'
    case 'schema_drift':
      return 'drops, changes and adds fields'
    case 'bad_pagination':
      return {
        repeat: 'repeats the cursor',
        missing: 'returns no cursor',
        empty: 'returns an empty page',
      }[effect.kind]
    case 'hang_up':
      break
  }
  return `aborts after ${effect.afterMs} ms`
}

/** Describes which requests a rule affects, and how often. */
export function formatTarget({ side, operation, probability = 1, times }: FaultRule): string {
  const where = side === 'api' ? 'API' : 'Calls to apps'
  const what = operation === undefined ? where : `${where}: ${operation}`
  const often = probability === 1 ? '' : `, ${Math.round(probability * 100)} %`
  const limit = times === undefined ? '' : `, ${plural(times, 'time')}`
  return what + often + limit
}

/** Returns whether two rules are equal. */
export function isSameRule(a: FaultRule, b: FaultRule): boolean {
  return canonical(a) === canonical(b)
}

function canonical({ side, operation, probability, times, effect }: FaultRule): string {
  const fields = Object.entries(effect).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([side, operation, probability ?? 1, times, fields])
}
