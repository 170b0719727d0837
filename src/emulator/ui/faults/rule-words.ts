import type { FaultEffect, FaultRule } from '../../faults/rules.ts'

/** What an effect does, in words. */
export function effectWords(effect: FaultEffect): string {
  switch (effect.type) {
    case 'delay': {
      const jitter = effect.jitterMs === undefined ? '' : ` and up to ${effect.jitterMs} ms more`
      return `answers ${effect.delayMs} ms late${jitter}`
    }
    case 'status': {
      const wait = effect.retryAfterSeconds
      return `answers ${effect.status}${wait === undefined ? '' : `, Retry-After: ${wait}`}`
    }
    case 'reset':
      return 'closes the connection'
    case 'cut_off':
      return 'ends the body in the middle'
    case 'schema_drift':
      return 'drops, changes and adds fields'
    case 'bad_pagination':
      return {
        repeat: 'repeats the cursor',
        missing: 'gives no cursor',
        empty: 'gives an empty page',
      }[effect.kind]
    case 'hang_up':
      break
  }
  return `hangs up after ${effect.afterMs} ms`
}

/** Whom a rule hits, and how often. */
export function targetWords({ side, operation, probability = 1, times }: FaultRule): string {
  const where = side === 'api' ? 'API' : 'calls to apps'
  const what = operation === undefined ? where : `${where}: ${operation}`
  const often = probability === 1 ? '' : `, ${Math.round(probability * 100)} %`
  const limit = times === undefined ? '' : `, ${times} ${times === 1 ? 'time' : 'times'}`
  return what + often + limit
}

/** Whether two rules are the same rule. */
export function isSameRule(a: FaultRule, b: FaultRule): boolean {
  return canonical(a) === canonical(b)
}

function canonical({ side, operation, probability, times, effect }: FaultRule): string {
  const fields = Object.entries(effect).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([side, operation, probability ?? 1, times, fields])
}
