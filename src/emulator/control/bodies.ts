import * as z from 'zod'
import { SEED_NAMES } from '../seed/seeds.ts'
import { SCENARIOS } from '../host/scenarios.ts'

/** What the control routes accept; everything else in a body is refused by its path. */

const headerValues = z.record(z.string().min(1).max(200), z.string().max(4_096))
const url = z.string().min(1, 'Give the address of the endpoint.').max(2_048)

export const appInputSchema = z.strictObject({
  name: z.string(),
  url,
  headers: headerValues.exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

export const appChangeSchema = z.strictObject({
  name: z.string().exactOptional(),
  url: url.exactOptional(),
  headers: z.record(z.string().min(1).max(200), z.string().max(4_096).nullable()).exactOptional(),
  widgets: z.array(z.string()).exactOptional(),
})

export const openBodySchema = z.strictObject({
  scenario: z.enum(SCENARIOS.map(({ id }) => id)).exactOptional(),
})

export const resetBodySchema = z.strictObject({
  seed: z.enum(SEED_NAMES).exactOptional(),
})

const milliseconds = z.number().int().min(0).max(60_000)

const effectSchema = z.discriminatedUnion('type', [
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

export const faultSettingsSchema = z.strictObject({
  seed: z.number().int().min(0).max(4_294_967_295),
  rules: z
    .array(
      z.strictObject({
        side: z.enum(['api', 'apps']),
        operation: z.string().max(40).exactOptional(),
        probability: z.number().min(0).max(1).exactOptional(),
        times: z.number().int().min(0).exactOptional(),
        effect: effectSchema,
      }),
    )
    .max(50),
})
