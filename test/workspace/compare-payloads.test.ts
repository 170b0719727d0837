import { expect, test } from 'vitest'
import type { Payload } from '../../src/contract/generated/types.ts'
import { parseLine } from '../../src/workspace/console/parse-line.ts'
import { differingPaths } from '../../src/workspace/states/compare-payloads.ts'

const text = (value: string) => ({ type: 'text', label: 'Plan', value }) as const
const payload = (...components: Payload['components']): Payload => ({
  version: '1.0.0',
  header: {},
  components,
})

test('only the innermost components that differ are named', () => {
  const base = payload(text('a'), { type: 'card', components: [text('b'), text('c')] })
  expect(differingPaths(base, base)).toEqual([])
  expect(
    differingPaths(
      payload(text('a'), { type: 'card', components: [text('b'), text('x'), text('new')] }),
      base,
    ),
  ).toEqual(['components[1].components[1]', 'components[1].components[2]'])
  expect(differingPaths(payload({ type: 'divider' }), base)).toEqual(['components[0]'])
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
