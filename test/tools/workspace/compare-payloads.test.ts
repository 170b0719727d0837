import { expect, test } from 'vitest'
import type { Payload } from '../../../src/runtime/contract/generated/types.ts'
import { parseLine } from '../../../src/tools/workspace/parts/console/parse-line.ts'
import {
  comparablePayload,
  comparePayloads,
  isSameContent,
} from '../../../src/tools/workspace/core/compare-payloads.ts'

const text = (value: string) => ({ type: 'text', label: 'Plan', value }) as const
const payload = (...components: Payload['components']): Payload => ({
  version: '1.0.0',
  header: {},
  components,
})

test('only the innermost components that differ are named', () => {
  const card = (...components: readonly ReturnType<typeof text>[]) => ({
    type: 'card' as const,
    components: [...components],
  })
  const base = payload(text('a'), card(text('b'), text('c')))
  expect(comparePayloads(base, base)).toEqual({ changed: [], missing: [] })
  expect(comparePayloads(payload(text('a'), card(text('b'), text('x'), text('n'))), base)).toEqual({
    changed: ['components[1].components[1]', 'components[1].components[2]'],
    missing: [],
  })
  expect(comparePayloads(payload({ type: 'divider' }), base)).toEqual({
    changed: ['components[0]'],
    missing: ['Plan'],
  })
})

test('a component that is added or left out does not make the others differ', () => {
  const row = (label: string) => ({ type: 'text', label, value: label }) as const
  const base = payload(row('A'), row('B'), row('C'))
  expect(comparePayloads(payload(row('X'), row('A'), row('C')), base)).toEqual({
    changed: ['components[0]'],
    missing: ['B'],
  })
})

/** What the endpoint sent, and the trace ID of its response. */
const seen = (sent: Payload | null, traceId: string | null = null) =>
  comparablePayload(sent, traceId)

test('the links of an action do not make a difference, and other links do', () => {
  const button = (url: string) =>
    seen(payload({ type: 'button', label: 'A', button_type: 'link', url }))!
  const link = (token: string) => button(`https://a.example/actions?t=eyJh.${token}`)
  expect(isSameContent(link('.a.b.c'), link('.d.e.f'))).toBe(true)
  expect(comparePayloads(link('.a.b.c'), link('.d.e.f')).changed).toEqual([])
  expect(isSameContent(button('https://a.example/1'), link('.a.b.c'))).toBe(false)
})

test('the trace ID on a failure card does not make a difference, and other values do', () => {
  const failed = (value: string, traceId: string | null) => seen(payload(text(value)), traceId)!
  const first = failed('k3', 'k3')
  expect(isSameContent(first, failed('m9', 'm9'))).toBe(true)
  expect(comparePayloads(first, failed('m9', 'm9')).changed).toEqual([])
  expect(isSameContent(first, failed('m9', 'k3'))).toBe(false)
  expect(isSameContent(first, failed('m9', null))).toBe(false)
})

test.each(['"', '{', 'e', '', '\\'])('the trace ID %j does not break the comparison', (traceId) => {
  const sent = payload(text('one'), text(traceId))
  expect(seen(sent, traceId)?.components).toEqual([text('one'), text('')])
  expect(seen(null, traceId)).toBeNull()
})

test.each([
  ['a plain line', null],
  ['{"level":"warn"}', null],
  ['{ broken', null],
  ['{"msg":7}', null],
  [
    '{"level":"warn","msg":"late","status":401,"traceId":"x","error":{"a":1},"ok":false}',
    {
      level: 'warn',
      message: 'late',
      fields: [
        ['status', '401'],
        ['ok', 'false'],
      ],
    },
  ],
])('the console line %j is parsed', (line, expected) => {
  expect(parseLine(line)).toEqual(expected)
})
