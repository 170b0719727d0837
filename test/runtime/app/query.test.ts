import fc from 'fast-check'
import { test } from 'vitest'
import { text } from 'sidecard'
import { createTestApp } from '../../helpers/app.ts'

const IDS = [
  'app_id',
  'widget_id',
  'issue_id',
  'organization_id',
  'account_id',
  'requester_id',
  'requester_email',
] as const

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
    'request_type',
    'code',
    ...IDS,
  ),
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
)

const app = createTestApp({
  fetchData: ({ params }) => [text({ label: 'ids', value: JSON.stringify(params) })],
})

test('reads the parameters exactly as URLSearchParams does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(piece, { maxLength: 24 }), async (twice, pieces) => {
      const { href, searchParams } = new URL(
        `http://localhost/${twice ? '??' : '?'}request_type=fetch_data&${pieces.join('')}`,
      )
      const response = await app.request(href)
      const isDuplicated = (name: string) => searchParams.getAll(name).length > 1
      if (['request_type', ...IDS].some(isDuplicated)) return response.status === 400
      if (searchParams.get('request_type') !== 'fetch_data') return response.status === 400
      const { components }: any = await response.json()
      const expected = IDS.map((name) => [name, searchParams.get(name) || undefined])
      return components[0].value === JSON.stringify(Object.fromEntries(expected))
    }),
    { numRuns: 2_000 },
  )
})
