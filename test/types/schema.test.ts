import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import {
  type Card,
  type CardChild,
  type cardChildSchema,
  type cardSchema,
  type Component,
  type componentSchema,
  type Payload,
  type PayloadIssueCode,
  type payloadSchema,
  validatePayload,
} from 'sidecard/schema'

test('the types are the schemas’ own', () => {
  expectTypeOf<z.infer<typeof payloadSchema>>().toExtend<Payload>()
  expectTypeOf<Payload>().toExtend<z.infer<typeof payloadSchema>>()
  expectTypeOf<z.infer<typeof componentSchema>>().toExtend<Component>()
  expectTypeOf<Component>().toExtend<z.infer<typeof componentSchema>>()
  expectTypeOf<CardChild>().toExtend<z.infer<typeof cardChildSchema>>()
  expectTypeOf<z.infer<typeof cardChildSchema>>().toExtend<CardChild>()
  expectTypeOf<z.infer<typeof cardSchema>>().toExtend<Card>()
})

test('a verdict is told apart by ok', () => {
  const verdict = validatePayload(undefined)
  expectTypeOf<Extract<typeof verdict, { ok: true }>['payload']>().toEqualTypeOf<Payload>()
  expectTypeOf<
    Extract<typeof verdict, { ok: false }>['issues'][number]['code']
  >().toEqualTypeOf<PayloadIssueCode>()
})
