import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import {
  type cardSchema,
  type Component,
  type componentSchema,
  type Payload,
  type PayloadIssueCode,
  type payloadSchema,
  validatePayload,
} from 'sidecard/schema'
import type { Card, CardChild } from '../../src/runtime/contract/generated/types.ts'
import type { cardChildSchema } from '../../src/runtime/contract/payload.ts'

test('the types match the schemas', () => {
  expectTypeOf<z.infer<typeof payloadSchema>>().toExtend<Payload>()
  expectTypeOf<Payload>().toExtend<z.infer<typeof payloadSchema>>()
  expectTypeOf<z.infer<typeof componentSchema>>().toExtend<Component>()
  expectTypeOf<Component>().toExtend<z.infer<typeof componentSchema>>()
  expectTypeOf<CardChild>().toExtend<z.infer<typeof cardChildSchema>>()
  expectTypeOf<z.infer<typeof cardChildSchema>>().toExtend<CardChild>()
  expectTypeOf<z.infer<typeof cardSchema>>().toExtend<Card>()
})

test('ok distinguishes the results', () => {
  const result = validatePayload(undefined)
  expectTypeOf<Extract<typeof result, { ok: true }>['payload']>().toEqualTypeOf<Payload>()
  expectTypeOf<
    Extract<typeof result, { ok: false }>['issues'][number]['code']
  >().toEqualTypeOf<PayloadIssueCode>()
})
