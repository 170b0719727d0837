import { SidecardError } from '../../internal/errors.ts'
import { integer, readOptions } from '../../internal/read-options.ts'
import { formatIssue } from '../format-issue.ts'
import { seededRandom } from './random.ts'
import type { FaultEffect, FaultRule, FaultSettings, FaultSide } from './rules.ts'
import { faultSettingsSchema } from './settings-schema.ts'

/** Options for `faults.set()`. */
export interface FaultOptions {
  /** The random seed, from 0 to 4,294,967,295. @default the current one */
  readonly seed?: number
}

const FAULT_KINDS = { seed: integer(0, 4_294_967_295) }

/** The faults of an emulator. */
export interface EmulatorFaults {
  /** The random seed. The same seed and the same requests result in the same faults. */
  readonly seed: number
  /** The active rules. The first rule that matches a request applies. */
  list(): readonly FaultRule[]
  /**
   * Replaces all rules and restarts the random sequence.
   *
   * @throws {SidecardError} `invalid_options`
   * @throws {SidecardError} `invalid_fault` if a value is out of range, or an effect does not apply to the side or operation of its rule
   */
  set(rules: readonly FaultRule[], options?: FaultOptions): void
  /** Removes all rules. */
  clear(): void
}

/** Selects the faults of requests. */
export interface FaultEngine extends EmulatorFaults {
  readonly settings: FaultSettings
  /** Returns the effect for a request of an operation, or `undefined` if no rule applies. */
  selectEffect(side: FaultSide, operation: string): FaultEffect | undefined
  /** Returns the duration of a delay in milliseconds, including jitter. */
  delayMs(effect: Extract<FaultEffect, { type: 'delay' }>): number
}

const NO_FAULTS: FaultSettings = { seed: 1, rules: [] }

/** Creates an engine without rules. */
export function createFaultEngine(onChange: () => void): FaultEngine {
  let settings = NO_FAULTS
  let random = seededRandom(settings.seed)
  let hits = new Map<number, number>()

  function set(rules: readonly FaultRule[], options: FaultOptions = {}) {
    const { seed = settings.seed } = readOptions('emulator.faults.set', options, FAULT_KINDS)
    const parsed = faultSettingsSchema.safeParse({ seed, rules })
    if (!parsed.success) {
      const message = `emulator.faults.set: ${formatIssue(parsed.error)}.`
      throw new SidecardError('invalid_fault', message)
    }
    settings = parsed.data
    random = seededRandom(seed)
    hits = new Map()
    onChange()
  }

  return {
    get settings() {
      return settings
    },
    get seed() {
      return settings.seed
    },
    list: () => settings.rules,
    set,
    clear: () => set([], { seed: NO_FAULTS.seed }),
    selectEffect(side, operation) {
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
    delayMs: ({ delayMs, jitterMs = 0 }) => delayMs + Math.floor(random() * jitterMs),
  }
}
