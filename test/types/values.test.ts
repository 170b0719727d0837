import { expectTypeOf, test } from 'vitest'
import {
  type BadgeItem,
  calendarDate,
  type DateTime,
  fields,
  type Link,
  money,
  status,
  type Text,
} from 'sidecard'

interface Account {
  readonly plan: string
  readonly seats: number | null
  readonly renewsAt?: Date | undefined
}
interface Nested {
  readonly plan: string
  readonly owner: { readonly name: string }
}
declare const account: Account
declare const nested: Nested
declare const pairs: Array<[string, string | number]>
declare const rows: Array<{ label: string; value: number | bigint | null }>
declare const texts: Record<string, string>
declare const columns: Record<string, unknown>
type Status = 'active' | 'past_due' | 'canceled'
declare const state: Status

/** Code that the compiler rejects. An unused `@ts-expect-error` is an error. */
function rejected(): void {
  // @ts-expect-error an object is not a field value
  fields({ Owner: { name: 'a' } })
  // @ts-expect-error a promise has to be awaited
  fields({ Owner: Promise.resolve('a') })
  // @ts-expect-error a property of an interface is not a field value
  fields(nested)
  // @ts-expect-error unknown is not a field value
  fields(columns)
  // @ts-expect-error a pair whose value is an array
  fields([['Owner', ['a']]])
  // @ts-expect-error a mapped pair whose value is an object
  fields(rows.map((row) => [row.label, { value: row.value }]))
  // @ts-expect-error the options are an object
  fields({ Plan: 'a' }, 'de')
  // @ts-expect-error a string is not an amount
  money('1999', 'EUR')
  // @ts-expect-error the currency is missing
  money(1999)
  // @ts-expect-error null is not a date
  calendarDate(null)
  // @ts-expect-error an unknown color
  status(state, { active: 'grey' })
  // @ts-expect-error a status that does not exist
  status(state, { trialing: 'green' })
}

test('fields() accepts literals, interfaces, optional properties and pairs', () => {
  expectTypeOf(rejected).toBeFunction()
  const made = () => [
    ...fields({
      Plan: 'Pro',
      Seats: 3,
      Big: 3n,
      Trial: false,
      At: new Date(),
      Site: new URL('a:'),
    }),
    ...fields({ Plan: null, Seats: undefined }),
    ...fields(account),
    ...fields({ Plan: account.plan, Seats: account.seats, Renews: account.renewsAt }),
    ...fields([
      ['2024', 'a'],
      ['2023', 7],
    ]),
    ...fields(pairs),
    ...fields(rows.map((row) => [row.label, row.value])),
    ...fields(rows.map(({ label }) => [label, new Date(label)] as const)),
    ...fields(texts),
  ]
  expectTypeOf(made).returns.toEqualTypeOf<Array<Text | DateTime | Link>>()
})

test('status() accepts a known set of statuses, or any text', () => {
  const made = () => [
    status(state, { active: 'green' }),
    status(state, {}),
    status(null as Status | null, { past_due: 'orange' }),
    status<string>('anything', { active: 'green' }),
  ]
  expectTypeOf(made).returns.toEqualTypeOf<BadgeItem[]>()
})
