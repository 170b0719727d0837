import { expect, test } from 'vitest'
import { listEnvelope, singleEnvelope, tagSchema } from 'sidecard/schema'

const tag = { id: 'tag_1', name: 'VIP' }

test('an envelope of one object has its data, and may have a request ID', () => {
  const schema = singleEnvelope(tagSchema)
  expect(schema.parse({ data: tag, request_id: 'req_1' })).toEqual({
    data: tag,
    request_id: 'req_1',
  })
  expect(schema.safeParse({ data: tag }).success).toBe(true)
  for (const wrong of [{}, { data: [tag] }, { data: 'x' }, { data: tag, request_id: 7 }]) {
    expect(schema.safeParse(wrong).success).toBe(false)
  }
})

test('an envelope of a list has its data, and may have its pagination', () => {
  const schema = listEnvelope(tagSchema)
  const whole = { data: [tag], pagination: { has_next_page: false }, request_id: 'req_1' }
  expect(schema.parse(whole)).toEqual(whole)
  expect(schema.safeParse({ data: [] }).success).toBe(true)
  for (const wrong of [{}, { data: tag }, { data: ['x'] }, { data: [], pagination: 'next' }]) {
    expect(schema.safeParse(wrong).success).toBe(false)
  }
})
