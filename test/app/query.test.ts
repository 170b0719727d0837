import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuery } from '../../src/app/query.ts'

const NAMES = ['request_type', 'code', 'app_id', 'issue_id', 'requester_email'] as const

const piece = fc.oneof(
  fc.constantFrom(
    '=',
    '&',
    '+',
    '%',
    '%20',
    '%E2%82',
    '%C3%A9',
    '%zz',
    '#',
    '?',
    '%00',
    '%26',
    '__proto__',
    ...NAMES,
  ),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
)

test('decodes exactly as URLSearchParams does, whatever the query', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const { href } = new URL(`http://localhost/?${pieces.join('')}`)
      const { searchParams } = new URL(href)
      const query = readQuery(href)
      const read = { request_type: query.requestType, code: query.code, ...query.params } as Record<
        string,
        string | undefined
      >
      for (const name of NAMES) {
        const all = searchParams.getAll(name)
        const expected =
          name.includes('_') && name !== 'request_type' ? all[0] || undefined : all[0]
        expect(read[name]).toBe(expected)
        expect(query.duplicates.includes(name)).toBe(all.length > 1)
      }
    }),
    { numRuns: 3_000 },
  )
})
