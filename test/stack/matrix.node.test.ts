import { expect, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { EMPTY, FEATURES, NAMES, PROGRAMS, READERS } from './matrix.ts'
import { testMatrix } from './test-matrix.ts'

testMatrix(draw(PROGRAMS, 3))

test('the matrix has at most ten empty parts, each with a reason, and everything else runs', () => {
  expect(EMPTY.length).toBeLessThanOrEqual(10)
  for (const { reason } of EMPTY) expect(reason).toMatch(/^(?:\S+ ){3,}\S+$/)
  const all = NAMES.length * READERS.length * FEATURES.length
  const run = PROGRAMS.flatMap(({ features }) => features).length
  const empty = EMPTY.flatMap(({ hosts, readers, features }) =>
    hosts.flatMap((host) =>
      readers.flatMap((reader) => features.map((feature) => [host, reader, feature].join())),
    ),
  )
  expect(run).toBe(all - new Set(empty).size)
})
