import * as z from 'zod'
import { OPERATIONS } from '../../contract/operations.ts'
import type { FaultEffect, FaultSide } from './rules.ts'

const milliseconds = z.number().int().min(0).max(60_000)

/** An effect of a fault. */
export const effectSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('delay'),
    delayMs: milliseconds,
    jitterMs: milliseconds.exactOptional(),
  }),
  z.strictObject({
    type: z.literal('status'),
    status: z.number().int().min(400).max(599),
    retryAfterSeconds: z.number().int().min(0).max(86_400).exactOptional(),
  }),
  z.strictObject({ type: z.literal('reset') }),
  z.strictObject({ type: z.literal('cut_off') }),
  z.strictObject({ type: z.literal('schema_drift') }),
  z.strictObject({
    type: z.literal('bad_pagination'),
    kind: z.enum(['repeat', 'missing', 'empty']),
  }),
  z.strictObject({ type: z.literal('hang_up'), afterMs: milliseconds }),
])

const ruleSchema = z
  .strictObject({
    side: z.enum(['api', 'apps']),
    operation: z.string().exactOptional(),
    probability: z.number().min(0).max(1).exactOptional(),
    times: z.number().int().min(0).exactOptional(),
    effect: effectSchema,
  })
  .superRefine(({ side, operation, effect }, context) => {
    if (operation !== undefined && !OPERATIONS_OF[side].includes(operation)) {
      const message = `is not an operation of the side "${side}": use one of ${OPERATIONS_OF[side].join(', ')}`
      context.addIssue({ code: 'custom', path: ['operation'], message })
    } else if (!worksOn(effect, side, operation)) {
      const target = operation === undefined ? `the side "${side}"` : operation
      const message = `the effect "${effect.type}" does not apply to ${target}`
      context.addIssue({ code: 'custom', path: ['effect', 'type'], message })
    }
  })

/** The faults that the emulator accepts. */
export const faultSettingsSchema = z.strictObject({
  seed: z.number().int().min(0).max(4_294_967_295),
  rules: z.array(ruleSchema).max(50),
})

const OPERATIONS_OF: Readonly<Record<FaultSide, readonly string[]>> = {
  api: Object.keys(OPERATIONS),
  apps: ['verify', 'fetch_data'],
}

const SIDES: Readonly<Record<FaultEffect['type'], readonly FaultSide[]>> = {
  delay: ['api', 'apps'],
  status: ['api', 'apps'],
  reset: ['api', 'apps'],
  cut_off: ['api'],
  schema_drift: ['api'],
  bad_pagination: ['api'],
  hang_up: ['apps'],
}

/** Returns whether an effect applies to requests of a side and operation. */
export function worksOn(effect: FaultEffect, side: FaultSide, operation?: string): boolean {
  if (!SIDES[effect.type].includes(side)) return false
  if (effect.type !== 'bad_pagination' || operation === undefined) return true
  return OPERATIONS[operation as keyof typeof OPERATIONS]?.response.envelope === 'list'
}
