import * as z from 'zod'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { integer, readOptions } from '../../../runtime/internal/read-options.ts'
import { seededRandom } from './random.ts'
import { type FaultEffect, type FaultRule, faultSettingsSchema, type FaultSide } from './rules.ts'

/** Options of `faults.set()`. */
export interface FaultOptions {
  /** The random seed, from 0 to 4,294,967,295. @default the current one */
  readonly seed?: number
}

const FAULT_KINDS = { seed: integer(0, 4_294_967_295) }

/** The engine that selects the faults of requests. */
export type FaultEngine = ReturnType<typeof createFaultEngine>

/** The faults of an emulator. */
export interface EmulatorFaults extends Pick<FaultEngine, 'seed' | 'list' | 'set' | 'clear'> {}

const NO_FAULTS = faultSettingsSchema.parse({ seed: 1, rules: [] })

/** Creates an engine without rules. */
export function createFaultEngine(onChange: () => void) {
  let settings = NO_FAULTS
  let random = seededRandom(settings.seed)
  let hits = new Map<number, number>()

  function set(rules: readonly FaultRule[], options: FaultOptions = {}): void {
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
    /** The random seed. The same seed and the same requests result in the same faults. */
    get seed() {
      return settings.seed
    },
    /** The active rules. The first rule that matches a request applies. */
    list: (): readonly FaultRule[] => settings.rules,
    /**
     * Replaces all rules and restarts the random sequence.
     *
     * @throws {SidecardError} `invalid_options`
     * @throws {SidecardError} `invalid_fault` if a value is out of range, or an effect does not apply to the side or operation of its rule
     */
    set,
    /** Removes all rules. */
    clear: (): void => set([], { seed: NO_FAULTS.seed }),
    /** Returns the effect for a request of an operation, or `undefined` if no rule applies. */
    selectEffect(side: FaultSide, operation: string): FaultEffect | undefined {
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
    /** Returns the duration of a delay in milliseconds, including jitter. */
    delayMs: ({ delayMs, jitterMs = 0 }: Extract<FaultEffect, { type: 'delay' }>) =>
      delayMs + Math.floor(random() * jitterMs),
  }
}

/** Formats the first issue of a failed validation, with its path if it has one. */
function formatIssue({ issues: [issue] }: z.ZodError): string {
  const path = z.core.toDotPath(issue?.path ?? [])
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'invalid'}`
}
