import { expectTypeOf, test } from 'vitest'
import {
  type Badge,
  badge,
  type Button,
  button,
  type Card,
  card,
  type Child,
  type DateTime,
  dateTime,
  type Divider,
  divider,
  type FetchDataResult,
  link,
  type Link,
  payload,
  type Payload,
  type PayloadOfChildren,
  section,
  type Section,
  type Text,
  text,
} from 'sidecard'

/**
 * Code that the compiler rejects. It does not run: `npm run types` is the test,
 * and an unused `@ts-expect-error` is an error.
 */
function rejected(maybe: string | undefined): void {
  // @ts-expect-error a label is missing
  text({ value: 'a' })
  // @ts-expect-error a value is missing
  text({ label: 'a' })
  // @ts-expect-error a number is no text
  text({ label: 'a', value: 7 })
  // @ts-expect-error null is not absent
  text({ label: 'a', value: 'b', icon_url: null })
  // @ts-expect-error a misspelled field
  text({ label: 'a', value: 'b', iconUrl: 'https://example.com' })
  // @ts-expect-error the builder sets the type
  text({ type: 'text', label: 'a', value: 'b' })
  // @ts-expect-error milliseconds are no date-time
  dateTime({ label: 'a', value: Date.now() })
  // @ts-expect-error an unknown color
  badge({ label: 'a', items: [{ value: 'b', color: 'grey' }] })
  // @ts-expect-error a color is missing
  badge({ label: 'a', items: [{ value: 'b' }] })
  // @ts-expect-error items are missing
  badge({ label: 'a' })
  // @ts-expect-error the contract has one kind of button
  button({ label: 'a', url: 'https://example.com', button_type: 'submit' })
  // @ts-expect-error a URL is missing
  button({ label: 'a' })
  // @ts-expect-error a URL object is no string
  link({ label: 'a', url: new URL('https://example.com') })
  // @ts-expect-error a divider has no fields
  divider({ label: 'a' })
  // @ts-expect-error a card in a card
  card({ components: [card({ components: [] })] })
  // @ts-expect-error a card in a card, written by hand
  card({ components: [{ type: 'card', components: [] }] })
  // @ts-expect-error a card in a card in a card
  card({ components: [card({ components: [card({ components: [] })] })] })
  const children = [text({ label: 'a', value: 'b' }), card({ components: [] })]
  // @ts-expect-error a card among other children
  card({ components: children })
  // @ts-expect-error a section makes its own card
  card({ components: [section('a', () => [])] })
  // @ts-expect-error a promise is for fetchData, not for a card
  card({ components: [Promise.resolve(divider())] })
  // @ts-expect-error our own cards have a title
  card({ header: {}, components: [] })
  // @ts-expect-error an unknown type
  card({ components: [{ type: 'image' }] })
  // @ts-expect-error true is not an absent value
  card({ components: [true] })
  // @ts-expect-error a header is missing
  payload({ components: [] })
  // @ts-expect-error the builder sets the version
  payload({ version: '1.0.0', header: { title: 'a' }, components: [] })
  // @ts-expect-error a section loads children of a card, so no card
  section('a', () => [card({ components: [] })])
  // @ts-expect-error a card among nested children of a section
  section('a', () => [[divider()], [[card({ components: [] })]]])
  // @ts-expect-error a card in a promise
  section('a', () => [Promise.resolve([card({ components: [] })])])
  // @ts-expect-error a section in a section
  section('a', () => [section('b', () => [])])
  // @ts-expect-error a section in a promise in a section
  section('a', async () => [[section('b', () => [])]])
  // @ts-expect-error a section that loads undefined, like a forgotten return
  section('a', () => maybe && text({ label: 'a', value: maybe }))
  // @ts-expect-error a number is no child
  payload({ header: { title: 'a' }, components: [7] })
  // @ts-expect-error a promise of a number is no child
  payload({ header: { title: 'a' }, components: [Promise.resolve(7)] })
  // @ts-expect-error a promise instead of a function would have begun already
  section('a', Promise.resolve([]))
}

test('builders accept the contract’s fields and return its components', () => {
  expectTypeOf(rejected).toBeFunction()
  expectTypeOf(text).returns.toEqualTypeOf<Text>()
  expectTypeOf(dateTime).returns.toEqualTypeOf<DateTime>()
  expectTypeOf(badge).returns.toEqualTypeOf<Badge>()
  expectTypeOf(button).returns.toEqualTypeOf<Button>()
  expectTypeOf(link).returns.toEqualTypeOf<Link>()
  expectTypeOf(divider).returns.toEqualTypeOf<Divider>()
  expectTypeOf(card).returns.toEqualTypeOf<Card>()
  expectTypeOf(payload).returns.toEqualTypeOf<PayloadOfChildren>()
  expectTypeOf(section).returns.toEqualTypeOf<Section>()
})

test('a card accepts the falsy results of conditions', () => {
  const account = {
    name: '' as string,
    orders: [] as string[],
    renewsAt: null as Date | string | null,
    plan: undefined as { name: string } | undefined,
  }
  const made = card({
    components: [
      account.renewsAt && dateTime({ label: 'Renews', value: account.renewsAt }),
      account.name && text({ label: 'Name', value: account.name }),
      account.orders.length && badge({ label: 'Orders', items: [] }),
      account.plan && text({ label: 'Plan', value: account.plan.name }),
      account.orders.length > 3 && divider(),
      account.orders.length > 3 ? divider() : undefined,
    ],
  })
  expectTypeOf(made).toEqualTypeOf<Card>()
})

test('fetchData may return children at any depth, or a payload of them', () => {
  expectTypeOf<Card | Text | Section | false | null | undefined>().toExtend<Child>()
  expectTypeOf<Promise<Card | undefined>>().toExtend<Child>()
  expectTypeOf<Promise<(Section | Promise<Text>[])[]>[][]>().toExtend<Child>()
  expectTypeOf<Child[]>().toExtend<FetchDataResult>()
  expectTypeOf<Payload>().toExtend<FetchDataResult>()
  expectTypeOf<PayloadOfChildren>().toExtend<FetchDataResult>()
  expectTypeOf<undefined>().not.toExtend<FetchDataResult>()
  expectTypeOf<Promise<number>>().not.toExtend<Child>()
  expectTypeOf<string>().not.toExtend<Child>()
})

/** Code as users write it. It does not run: `npm run types` is the test. */
function accepted(names: string[], isVip: boolean): FetchDataResult[] {
  const load = async () => [text({ label: 'a', value: 'b' })]
  const sections = names.map((name) => section(name, load))
  return [
    [sections, isVip && [section('a', load), [section('b', load)]]],
    [Promise.resolve([section('a', load), divider(), [Promise.resolve(null)]])],
    names.map(async (name) => section(name, load)),
    names.map(async () => helper(isVip)),
    [asyncHelper()],
    payload({ header: { title: 'a' }, components: [sections, Promise.resolve([divider()])] }),
    section('a', () => names.map((name) => [divider(), Promise.resolve(isVip && badgeOf(name))])),
    section('a', async () => [names.map((name) => badgeOf(name)), load()]),
    section('a', () => load()),
  ]
}

const helper = (isVip: boolean): Child => isVip && [section('a', () => null)]
const asyncHelper = async (): Promise<Child[]> => [divider(), Promise.resolve(divider())]
const badgeOf = (label: string) => badge({ label, items: [] })

test('children nest as users write them', () => {
  expectTypeOf(accepted).toBeFunction()
})
