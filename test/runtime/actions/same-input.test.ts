import fc from 'fast-check'
import { numberField, textField } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'
import { createDesk, lost } from '../../helpers/desk.ts'

/**
 * Confirms a button whose outcome is then unknown, and returns for each of the
 * other buttons whether its page shows that outcome.
 */
async function compare(input: object, first: unknown, ...others: unknown[]): Promise<boolean[]> {
  const refund = createExtendTrial({ input, show: () => [], run: lost })
  const fetchData = () => [first, ...others].map((each) => refund.button(each as never))
  const app = createActionApp(refund, {}, { fetchData })
  const [link, ...links] = await readLinks(app)
  expect(await confirmPage(app, await openPage(app, link!))).toMatchObject({ outcome: 'unknown' })
  const pages = await Promise.all(links.map((each) => openPage(app, each)))
  return pages.map(({ outcome }) => outcome === 'unknown')
}

const order = z.object({ orderId: z.string(), amount: z.number(), extra: z.optional(z.unknown()) })

test('buttons whose inputs only differ in the order of properties are one action', async () => {
  const respell = (value: unknown, next: () => number): unknown => {
    if (Array.isArray(value)) return value.map((item) => respell(item, next))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries({ ...value, [`absent-${next()}`]: undefined })
    const ordered = entries.map((entry) => [next(), entry] as const).toSorted(([a], [b]) => a - b)
    return Object.fromEntries(ordered.map(([, [name, item]]) => [name, respell(item, next)]))
  }
  const small = (value: unknown) => JSON.stringify(value).length < 150
  const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', '10', '9', 'toJSON', 'é'))
  const { extra } = fc.letrec((tie) => ({
    extra: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 0 }), tie('items'), tie('record')),
    items: fc.array(tie('extra'), { maxLength: 3 }),
    record: fc.dictionary(names, tie('extra'), { maxKeys: 4 }),
  }))
  await fc.assert(
    fc.asyncProperty(extra.filter(small), fc.infiniteStream(fc.nat()), async (value, numbers) => {
      const first = { orderId: '10482', amount: 5, extra: value }
      const next = () => numbers.next().value
      const other = { ...first, extra: [value] }
      expect(await compare(order, first, respell(first, next), other)).toEqual([true, false])
    }),
    { numRuns: 40 },
  )
})

const notes = z.object({ orderId: z.string(), note: z._default(z.nullable(z.string()), '') })
const checked = notes.check(z.refine(async () => true))
const from = (transform: (text: string) => unknown) => z.pipe(z.string(), z.transform(transform))
const numbered = from(BigInt)
const dated = from((text) => new Date(text))
const mapped = z.pipe(
  z.record(z.string(), z.string()),
  z.transform((ids) => new Map(Object.entries(ids))),
)
const a = { orderId: 'a' }

test.each<[string, boolean, object, unknown, unknown]>([
  ['a default and the same explicit value', true, notes, a, { note: '', orderId: 'a' }],
  ['a default of an asynchronous schema', true, checked, a, { note: '', orderId: 'a' }],
  ['unknown properties that the schema removes', true, notes, a, { ...a, b: 1 }],
  ['`null` and an absent property', false, notes, a, { ...a, note: null }],
  ['the order of an array', false, z.array(z.string()), ['a', 'b'], ['b', 'a']],
  ['two texts of one bigint', true, numbered, '1', '01'],
  ['two bigints', false, numbered, '1', '2'],
  ['two texts of one date', true, dated, '2027-01-31', '2027-01-31T00:00:00Z'],
  ['two dates', false, dated, '2027-01-31', '2027-02-01'],
  ['two orders of the entries of a Map', true, mapped, { a: 'x', b: 'y' }, { b: 'y', a: 'x' }],
  ['two Maps', false, mapped, { a: 'x' }, { a: 'y' }],
])('buttons that differ in %s are one action: %s', async (_, isSame, schema, first, other) => {
  expect(await compare(schema, first, other)).toEqual([isSame])
})

test('a link runs its action once, even if the schema returns a different input for each request', async () => {
  const input = z.object({
    accountId: z.string(),
    id: z._default(z.string(), () => crypto.randomUUID()),
  })
  const desk = createDesk({ input })
  const link = await desk.newLink()
  const page = await desk.show(link)
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'done' })
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'already_done' })
  expect(await desk.show(link)).toMatchObject({ outcome: 'already_done' })
  expect(desk.keys).toHaveLength(1)
})

test('a repeated confirmation keeps its idempotency key after the form has reordered its fields', async () => {
  const days = numberField({ label: 'Days' })
  const reason = textField({ label: 'Reason' })
  let form: object = { days, reason }
  const desk = createDesk({ form: () => form, run: lost, lookUp: () => 'not_done' })
  await desk.confirm(await desk.open(), { days: '7', reason: 'x' })
  form = { reason, days }
  desk.nowMs += 100_000
  await desk.confirm(await desk.open(), { days: '7', reason: 'x' })
  expect(desk.keys).toEqual([desk.keys[0], desk.keys[0]])
})
