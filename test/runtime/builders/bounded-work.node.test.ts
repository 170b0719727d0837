import { describe, expect, test } from 'vitest'
import { badge, button, card, dateTime, divider, link, payload, section, text } from 'sidecard'
import { cpuMs } from '../../helpers/cpu-ms.ts'
import { catchInvalid } from '../../helpers/catch-invalid.ts'

/** Far more than the usual milliseconds, and far less than enumerating millions of keys. */
const MAX_MS = 500

const hugeObject = Object.fromEntries(
  Array.from({ length: 2_000_000 }, (_, index) => [`key${index}`, index]),
)
const hugeBuffer = Buffer.alloc(50_000_000)
const sparseArray: unknown[] = []
sparseArray.length = 3_000_000
sparseArray.push(divider())

const BUILDERS: Readonly<Record<string, (fields: never) => unknown>> = {
  text,
  dateTime,
  badge,
  button,
  link,
  card,
  payload,
  section: (options: never) => section('Errors', () => null, options),
}

describe.each<[string, unknown]>([
  ['an object with two million keys', hugeObject],
  ['a buffer of 50 MB', hugeBuffer],
  ['a sparse array of three million', sparseArray],
])('%s', (_, value) => {
  test.each(Object.entries(BUILDERS).filter(([name]) => name !== 'section'))(
    'is rejected immediately by %s()',
    (_name, builder) => {
      const start = process.cpuUsage()
      catchInvalid(() => builder(value as never))
      expect(cpuMs(start)).toBeLessThan(MAX_MS)
    },
  )

  test.each<[string, () => unknown]>([
    ['a value', () => text({ label: '', value: value as never })],
    ['a badge item', () => badge({ label: '', items: [value as never] })],
    ['a component', () => card({ components: [value as never] })],
  ])('is rejected as %s', (_place, call) => {
    // Promises in the value are looked for, which has to list the keys once.
    const start = process.cpuUsage()
    catchInvalid(call)
    expect(cpuMs(start)).toBeLessThan(10 * MAX_MS)
  })
})

test('a card rejects more than 100,000 components, and endless arrays', () => {
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  for (const components of [sparseArray, Array.from({ length: 100_001 }, divider), cyclic]) {
    const start = process.cpuUsage()
    const error = catchInvalid(() => card({ components: components as never }))
    expect(cpuMs(start)).toBeLessThan(MAX_MS)
    expect(error.issues).toMatchObject([{ code: 'too_many_components' }])
  }
})

test('a badge with a million items is copied, and one with a sparse array of a million is rejected', () => {
  const items = Array.from({ length: 1_000_000 }, () => ({ value: '', color: 'red' as const }))
  expect(badge({ label: '', items }).items).toHaveLength(1_000_000)
  const error = catchInvalid(() => badge({ label: '', items: sparseArray as never }))
  expect(error.issues).toHaveLength(20)
})
