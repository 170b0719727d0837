import * as z from 'zod'
import { OPERATIONS } from '../../../runtime/contract/operations.ts'

const milliseconds = z.number().int().min(0).max(60_000)

/** An effect of a fault. */
export const effectSchema = z.discriminatedUnion('type', [
  /** Delays the response by `delayMs`, plus up to `jitterMs`. */
  z.strictObject({
    type: z.literal('delay'),
    delayMs: milliseconds,
    jitterMs: milliseconds.exactOptional(),
  }),
  /** Returns this status; `retryAfterSeconds` sets `Retry-After`. */
  z.strictObject({
    type: z.literal('status'),
    status: z.number().int().min(400).max(599),
    retryAfterSeconds: z.number().int().min(0).max(86_400).exactOptional(),
  }),
  /** Closes the connection without a response. */
  z.strictObject({ type: z.literal('reset') }),
  /** Truncates the body. API only. */
  z.strictObject({ type: z.literal('cut_off') }),
  /** Drops, changes and adds fields. API only. */
  z.strictObject({ type: z.literal('schema_drift') }),
  /** Breaks a list: repeats the cursor, omits it, or returns an empty page. API lists only. */
  z.strictObject({
    type: z.literal('bad_pagination'),
    kind: z.enum(['repeat', 'missing', 'empty']),
  }),
  /** Aborts the request after `afterMs`. Apps only. */
  z.strictObject({ type: z.literal('hang_up'), afterMs: milliseconds }),
])

const ruleSchema = z
  .strictObject({
    side: z.enum(['api', 'apps']),
    /** An operation ID such as `listUsers`; `verify` or `fetch_data` for apps. @default all operations */
    operation: z.string().exactOptional(),
    /** From 0 to 1. @default 1 */
    probability: z.number().min(0).max(1).exactOptional(),
    /** The number of requests that the rule affects before it ends. @default no limit */
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
  /** The random seed. The same seed affects the same requests. */
  seed: z.number().int().min(0).max(4_294_967_295),
  rules: z.array(ruleSchema).max(50).readonly(),
})

/** The effect of a fault on a request. */
export type FaultEffect = z.infer<typeof effectSchema>

/**
 * A rule of fault injection: which requests it affects, how many of them, and the
 * effect. The first rule that matches a request applies.
 */
export type FaultRule = z.infer<typeof ruleSchema>

/** The requests that a fault affects: those to the API, or those to the apps. */
export type FaultSide = FaultRule['side']

const OPERATIONS_OF: Readonly<Record<FaultSide, readonly string[]>> = {
  api: Object.keys(OPERATIONS),
  apps: ['verify', 'fetch_data'],
}

/** The effects that apply to one side only. */
const ONE_SIDED: { readonly [Type in FaultEffect['type']]?: FaultSide } = {
  cut_off: 'api',
  schema_drift: 'api',
  bad_pagination: 'api',
  hang_up: 'apps',
}

/** Returns whether an effect applies to requests of a side and operation. */
export function worksOn(effect: FaultEffect, side: FaultSide, operation?: string): boolean {
  if ((ONE_SIDED[effect.type] ?? side) !== side) return false
  if (effect.type !== 'bad_pagination' || operation === undefined) return true
  return OPERATIONS[operation as keyof typeof OPERATIONS]?.response.envelope === 'list'
}
