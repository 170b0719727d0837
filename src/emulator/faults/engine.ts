import type { FaultSettings } from '../protocol.ts'
import { seededRandom } from './random.ts'
import type { FaultEffect, FaultSide } from './rules.ts'

/** Decides which requests are hit. The same seed and the same requests give the same hits. */
export interface FaultEngine {
  readonly settings: FaultSettings
  /** Begins anew with these rules. */
  set(settings: FaultSettings): void
  /** What happens to a request of an operation; `undefined` when nothing does. */
  decide(side: FaultSide, operation: string): FaultEffect | undefined
  /** A delay's length, its jitter included. */
  delayOf(effect: Extract<FaultEffect, { type: 'delay' }>): number
}

/** No faults. */
export const NO_FAULTS: FaultSettings = { seed: 1, rules: [] }

/** Makes an engine. */
export function createFaultEngine(initial: FaultSettings = NO_FAULTS): FaultEngine {
  let settings = initial
  let random = seededRandom(initial.seed)
  let hits = new Map<number, number>()
  return {
    get settings() {
      return settings
    },
    set(next) {
      settings = next
      random = seededRandom(next.seed)
      hits = new Map()
    },
    decide(side, operation) {
      for (const [index, rule] of settings.rules.entries()) {
        if (rule.side !== side) continue
        if (rule.operation !== undefined && rule.operation !== operation) continue
        const hit = hits.get(index) ?? 0
        if (hit >= (rule.times ?? Infinity) || random() >= (rule.probability ?? 1)) continue
        hits.set(index, hit + 1)
        return rule.effect
      }
      return undefined
    },
    delayOf: ({ delayMs, jitterMs = 0 }) => delayMs + Math.floor(random() * jitterMs),
  }
}
