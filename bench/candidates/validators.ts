import * as v from 'valibot'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { validateManually } from './manual-validation.ts'

/** Ways to validate a payload before it is sent. Each returns the payload or throws. */
export interface Validators {
  readonly manual: (payload: unknown) => unknown
  readonly zod: (payload: unknown) => unknown
  readonly zodCompiled: (payload: unknown) => unknown
  readonly zodWithoutEval: (payload: unknown) => unknown
  readonly zodMini: (payload: unknown) => unknown
  readonly valibot: (payload: unknown) => unknown
}

/** Compiles the schemas once, when one of them is measured. */
export function createValidators(): Validators {
  const schema = zodSchema()
  const compiled = z.compile(schema)
  const valibot = valibotSchema()
  const miniSchema = zodMiniSchema()
  return {
    manual: validateManually,
    zod: (payload) => schema.parse(payload),
    zodCompiled: (payload) => compiled.parse(payload),
    zodWithoutEval: (payload) => schema.parse(payload, { jitless: true }),
    zodMini: (payload) => miniSchema.parse(payload, { jitless: true }),
    valibot: (payload) => v.parse(valibot, payload),
  }
}

const COLORS = ['blue', 'green', 'red', 'orange', 'gray'] as const

// The URL and date-time validation of each library, as its users would choose it.
function zodSchema() {
  const uri = z.url({ protocol: /^https?$/ })
  const header = z.strictObject({ title: z.string().optional(), icon_url: uri.optional() })
  const labeled = { label: z.string(), icon_url: uri.optional() }
  const leaves = [
    z.strictObject({ type: z.literal('text'), value: z.string(), ...labeled }),
    z.strictObject({
      type: z.literal('date_time'),
      value: z.iso.datetime({ offset: true }),
      ...labeled,
    }),
    z.strictObject({
      type: z.literal('badge'),
      label: z.string(),
      items: z.array(z.strictObject({ value: z.string(), color: z.enum(COLORS) })),
    }),
    z.strictObject({
      type: z.literal('button'),
      label: z.string(),
      button_type: z.literal('link'),
      url: uri,
    }),
    z.strictObject({ type: z.literal('link'), label: z.string(), url: uri }),
    z.strictObject({ type: z.literal('divider') }),
  ] as const
  const card = z.strictObject({
    type: z.literal('card'),
    header: header.optional(),
    components: z.array(z.discriminatedUnion('type', [...leaves])),
  })
  return z.strictObject({
    version: z.string(),
    header,
    components: z.array(z.discriminatedUnion('type', [card, ...leaves])),
  })
}

function zodMiniSchema() {
  const uri = mini.url()
  const header = mini.strictObject({
    title: mini.optional(mini.string()),
    icon_url: mini.optional(uri),
  })
  const labeled = { label: mini.string(), icon_url: mini.optional(uri) }
  const leaves = [
    mini.strictObject({ type: mini.literal('text'), value: mini.string(), ...labeled }),
    mini.strictObject({
      type: mini.literal('date_time'),
      value: mini.iso.datetime({ offset: true }),
      ...labeled,
    }),
    mini.strictObject({
      type: mini.literal('badge'),
      label: mini.string(),
      items: mini.array(mini.strictObject({ value: mini.string(), color: mini.enum(COLORS) })),
    }),
    mini.strictObject({
      type: mini.literal('button'),
      label: mini.string(),
      button_type: mini.literal('link'),
      url: uri,
    }),
    mini.strictObject({ type: mini.literal('link'), label: mini.string(), url: uri }),
    mini.strictObject({ type: mini.literal('divider') }),
  ] as const
  const card = mini.strictObject({
    type: mini.literal('card'),
    header: mini.optional(header),
    components: mini.array(mini.discriminatedUnion('type', [...leaves])),
  })
  return mini.strictObject({
    version: mini.string(),
    header,
    components: mini.array(mini.discriminatedUnion('type', [card, ...leaves])),
  })
}

function valibotSchema() {
  const uri = v.pipe(v.string(), v.url())
  const header = v.strictObject({ title: v.optional(v.string()), icon_url: v.optional(uri) })
  const labeled = { label: v.string(), icon_url: v.optional(uri) }
  const leaves = [
    v.strictObject({ type: v.literal('text'), value: v.string(), ...labeled }),
    v.strictObject({
      type: v.literal('date_time'),
      value: v.pipe(v.string(), v.isoTimestamp()),
      ...labeled,
    }),
    v.strictObject({
      type: v.literal('badge'),
      label: v.string(),
      items: v.array(v.strictObject({ value: v.string(), color: v.picklist(COLORS) })),
    }),
    v.strictObject({
      type: v.literal('button'),
      label: v.string(),
      button_type: v.literal('link'),
      url: uri,
    }),
    v.strictObject({ type: v.literal('link'), label: v.string(), url: uri }),
    v.strictObject({ type: v.literal('divider') }),
  ] as const
  const card = v.strictObject({
    type: v.literal('card'),
    header: v.optional(header),
    components: v.array(v.variant('type', [...leaves])),
  })
  return v.strictObject({
    version: v.string(),
    header,
    components: v.array(v.variant('type', [card, ...leaves])),
  })
}
