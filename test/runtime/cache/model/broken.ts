import type {
  CacheScope,
  SectionPlace,
  ShownSubject,
} from '../../../../src/runtime/internal/cache-types.ts'
import { isAbsentPart } from '../../../../src/runtime/cache/cache-key.ts'
import type { Design } from './apps.ts'
import type { STORES } from './stores.ts'

/** A version of the app with one broken rule. */
interface Broken {
  readonly rule: string
  readonly path: string
  readonly name: string
  readonly replace: (original: any) => unknown
  /** The problem that the model reports. */
  readonly problem: RegExp
  readonly store?: keyof typeof STORES
  /** An app in which random schedules find it soon. */
  readonly design?: Design
}

const KEY = { path: 'cache/cache-key', name: 'serializeKey' }
const STORE = { path: 'cache/entry-store', name: 'EntryStore' }
const LINK = { path: 'actions/links/link', name: 'orderShown' }

const ONE: Design = { shape: 'one section', identity: 'outside, with id', keys: ['none'] }

const EVENT = /an event of step/

type Serialize = (scope: CacheScope, cache: string, place: SectionPlace) => unknown

/** Serializes the key of a different place. */
const placed =
  (change: (place: SectionPlace) => SectionPlace) =>
  (serialize: Serialize): Serialize =>
  (scope, cache, place) =>
    serialize(scope, cache, change(place))

const named = (part: unknown) => (isAbsentPart(part) ? 'absent' : part)

export const BROKEN: readonly Broken[] = [
  {
    rule: 'a link contains the hashes of the shown sections',
    problem: EVENT,
    ...LINK,
    replace: () => () => [],
  },
  {
    rule: 'a link contains all hashes of a cache',
    problem: EVENT,
    ...LINK,
    replace: (order) => (shown: readonly ShownSubject[]) => [
      ...new Map(order(shown).map((each: ShownSubject) => [each.cache, each])).values(),
    ],
  },
  {
    rule: 'an absent part of a key is not shared',
    problem: /different customer|no key/,
    ...KEY,
    replace: placed((place) => ({
      ...place,
      key: place.key?.map(named),
      customers: place.customers.map(([kind, id]) => [kind, named(id)]),
    })),
  },
  {
    rule: 'a key contains the customer',
    design: ONE,
    problem: /different customer/,
    ...KEY,
    replace: placed((place) => ({ ...place, shared: true })),
  },
  {
    rule: 'a key contains the title of the section',
    problem: /different section/,
    ...KEY,
    replace: placed((place) => ({ ...place, title: '' })),
  },
  {
    rule: 'content is shown for staleSeconds, and not longer',
    design: ONE,
    problem: /too old/,
    ...STORE,
    replace: (Base) =>
      class extends Base {
        lifeSeconds = 1_200
      },
  },
  {
    rule: 'an event is written for the other processes',
    design: ONE,
    problem: EVENT,
    path: 'cache/guarded-store',
    name: 'GuardedStore',
    store: 'a store of two processes',
    replace: (Base) =>
      class extends Base {
        write(ctx: object, name: string, value: string, ttlSeconds: number) {
          // The names of marks are shorter than those of entries.
          return name.length === 25 || super.write(ctx, name, value, ttlSeconds)
        }
      },
  },
]
