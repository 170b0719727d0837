import * as z from 'zod'
import * as mini from 'zod/mini'
import { loadOther } from '../others/load.ts'
import { handChecked } from './by-hand.ts'

/** Ways to look at a payload before it is sent; each gives it back or throws. */
export interface Checks {
  readonly byHand: (payload: unknown) => unknown
  readonly zod: (payload: unknown) => unknown
  readonly zodCompiled: (payload: unknown) => unknown
  readonly zodWithoutEval: (payload: unknown) => unknown
  readonly zodMini: (payload: unknown) => unknown
  readonly valibot: (payload: unknown) => unknown
}

/** Loads the libraries, those of bench/others too, when one of them is measured. */
export async function checks(): Promise<Checks> {
  const schema = zodSchema()
  const compiled = z.compile(schema)
  const valibot = await valibotCheck()
  const miniSchema = zodMiniSchema()
  return {
    byHand: handChecked,
    zod: (payload) => schema.parse(payload),
    zodCompiled: (payload) => compiled.parse(payload),
    zodWithoutEval: (payload) => schema.parse(payload, { jitless: true }),
    zodMini: (payload) => miniSchema.parse(payload, { jitless: true }),
    valibot,
  }
}

const COLORS = ['blue', 'green', 'red', 'orange', 'gray'] as const

// The libraries' own checks of addresses and moments, as their users would take.
function zodSchema() {
  const uri = z.url({ protocol: /^https?$/ })
  const header = z.strictObject({ title: z.string().optional(), icon_url: uri.optional() })
  const labelled = { label: z.string(), icon_url: uri.optional() }
  const leaves = [
    z.strictObject({ type: z.literal('text'), value: z.string(), ...labelled }),
    z.strictObject({
      type: z.literal('date_time'),
      value: z.iso.datetime({ offset: true }),
      ...labelled,
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
  const labelled = { label: mini.string(), icon_url: mini.optional(uri) }
  const leaves = [
    mini.strictObject({ type: mini.literal('text'), value: mini.string(), ...labelled }),
    mini.strictObject({
      type: mini.literal('date_time'),
      value: mini.iso.datetime({ offset: true }),
      ...labelled,
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

async function valibotCheck(): Promise<(payload: unknown) => unknown> {
  const v = await loadOther('valibot')
  const uri = v.pipe(v.string(), v.url())
  const header = v.strictObject({ title: v.optional(v.string()), icon_url: v.optional(uri) })
  const labelled = { label: v.string(), icon_url: v.optional(uri) }
  const leaves = [
    v.strictObject({ type: v.literal('text'), value: v.string(), ...labelled }),
    v.strictObject({
      type: v.literal('date_time'),
      value: v.pipe(v.string(), v.isoTimestamp()),
      ...labelled,
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
  ]
  const card = v.strictObject({
    type: v.literal('card'),
    header: v.optional(header),
    components: v.array(v.variant('type', leaves)),
  })
  const schema = v.strictObject({
    version: v.string(),
    header,
    components: v.array(v.variant('type', [card, ...leaves])),
  })
  return (payload) => v.parse(schema, payload)
}
