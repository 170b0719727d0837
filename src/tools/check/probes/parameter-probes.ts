import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { replaceLetter, swapCase } from './auth-variants.ts'
import { regularCode } from './codes.ts'
import type { Plan } from './contract-probes.ts'
import { createCustomers, createFakeCustomer, ID_KINDS, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import type { DataProbe, UnusualProbe } from '../probe.ts'
import type { SimilarRole } from '../responses/truths.ts'
import { emailWith, idWith, SPECIAL_TEXTS, type SpecialText } from './dimensions.ts'

/** The kinds of requests to which the endpoint responds. */
export interface Capabilities {
  readonly handshake: boolean
  readonly data: boolean
}

type Task = () => Promise<DataProbe>

/** Values that decoders change, in the email address and in all IDs. */
const ENCODED = [
  ['email', 'special characters in the email', "o'WORD+b&b=c%20@example.com"],
  ['email', 'a plus sign and capital letters in the email', 'WORD.Ann+Billing@Example.COM'],
  ['id', 'non-ASCII letters in the IDs', 'WORD-é-ж-漢-🙂'],
  ['id', 'long IDs', `WORD-${'0123456789'.repeat(20)}`],
] as const

type Change = (id: string, random: string) => string

const lengthen: Change = (id, random) => id + regularCode(/\d$/.test(id) ? 2 : 0, random)

/** Replaces the inner letters of an email address. */
const within = (pattern: string) => (email: string) => email.replace(/(?<=^.).+(?=.@)/s, pattern)

/**
 * Changes to an ID or an email address that a careless lookup ignores, and the IDs to which they
 * apply. The letter case cannot matter if each ID has only one.
 */
const SIMILAR: ReadonlyArray<
  readonly [role: SimilarRole, what: string, applies: RegExp, change: Change]
> = [
  ['similar', 'a longer ID than that', /\p{L}/u, lengthen],
  ['similar', 'the start of the ID', /^(?=.*\p{L}).{5}|^.{8}/su, (id) => id.slice(0, -1)],
  ['similar', 'a path to the ID', /./s, (id) => `./${id}`],
  [
    'similar',
    'a different letter in the ID',
    /\p{L}{3}/u,
    (id) => id.replace(/\p{L}(?=\p{L}{2})/u, replaceLetter),
  ],
  [
    'similar',
    'different punctuation in the ID',
    /[\w][_-]/,
    (id) => id.replaceAll(/[_-]/g, (mark) => (mark === '_' ? '-' : '_')),
  ],
  [
    'similar',
    'swapped characters in the ID',
    /(.)(?!\1)./s,
    (id) => id.replace(/^(.*)(.)(?!\2)(.)/s, '$1$3$2'),
  ],
  ['similar', 'a sum of two parts of the ID', /^.{4}/s, (id) => id.replace(/^../s, "$&'+'")],
  ['otherCase', 'a different letter case in the ID', /\p{Lu}.*\p{Ll}|\p{Ll}.*\p{Lu}/su, swapCase],
  ['sameDomain', 'different letters in the email', /^.{3,}@/, within('sidecard-check')],
  ['similar', 'a pattern of SQL in the email', /^.{3,}@/, within('%')],
  ['similar', 'a wildcard in the email', /^.{3,}@/, within('*')],
  ['similar', 'a regular expression in the email', /^.{3,}@/, within('.*')],
]

/**
 * Creates data fetches with absent, empty or unusual parameters, for a made-up
 * customer and for the passed ones in turn. A passed ID is not changed, because
 * the endpoint may not know another one, except to find out whether it ignores the change.
 */
export function parameterTasks(plan: Plan, working: Capabilities): readonly Task[] {
  if (!working.data) return []
  const { prober, settings, customer, random } = plan
  const empty = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, '']))
  const nobody = { name: 'no customer', ids: {}, markers: {}, passed: {} }
  const withEmpty = { ...nobody, name: 'a customer with empty IDs', ids: empty }
  const madeUp = createFakeCustomer(random, 'made-up customer 7', settings.customers[0].ids)
  const passed = createCustomers(settings.customers, random).filter(isPassed)
  return [
    () => prober.data('absentIds', 'data fetch without IDs', nobody),
    () => prober.data('emptyIds', 'data fetch with empty IDs', withEmpty),
    ...[...(isPassed(customer) ? [customer] : []), madeUp].flatMap((each) =>
      ENCODED.map(([role, contains, text]) =>
        unusualTask(plan, each, role, contains, (word) => text.replace('WORD', word)),
      ),
    ),
    ...SPECIAL_TEXTS.flatMap((special, index) => {
      const { contains } = special
      const inTurn = passed.slice(index % Math.max(1, passed.length)).slice(0, 1)
      const email = (word: string) => emailWith(special, word)
      const id = (word: string) => idWith(special, word)
      return [...inTurn, madeUp].flatMap((each) => [
        unusualTask(plan, each, 'email', `${contains} in the email`, email, special),
        unusualTask(plan, each, 'id', `${contains} in the IDs`, id, special),
      ])
    }),
    ...SIMILAR.map((_each, index) => similarTask(plan, passed, index)),
  ].flatMap((task) => task ?? [])
}

/** Creates a data fetch with IDs that resemble those of a passed customer. The others are made up. */
function similarTask({ prober, settings, random }: Plan, all: readonly Customer[], index: number) {
  const [role, what, applies, change] = SIMILAR[index]!
  const isEmail = what.endsWith('email')
  const changed = ({ passed }: Customer) =>
    ID_KINDS.flatMap(([name]) => {
      const id = (name === 'requester_email') === isEmail ? passed[name] : undefined
      return id !== undefined && applies.test(id) ? [[name, change(id, random())]] : []
    })
  const usable = all.filter((each) => changed(each).length > 0)
  const like = usable[isEmail ? 0 : index % Math.max(1, usable.length)]
  if (like === undefined) return undefined
  const name = `a customer like ${like.name}`
  const { ids } = createFakeCustomer(random, name, settings.customers[0].ids)
  const similar = { ...like, name, ids: { ...ids, ...Object.fromEntries(changed(like)) } }
  return () => prober.data(role, `data fetch with ${what} of ${like.name}`, similar)
}

/**
 * Returns the email address, or the other IDs, unless they were passed. A passed email address
 * or issue is one of them if a different ID was passed, by which most endpoints find the customer.
 */
function freeIds({ passed }: Customer, role: 'email' | 'id') {
  const isFound = Object.keys(passed).some((name) => !/^(?:issue_id|requester_email)$/.test(name))
  return ID_KINDS.filter(
    ([name]) =>
      (name === 'requester_email') === (role === 'email') &&
      (!(name in passed) || (isFound && /^(?:issue_id|requester_email)$/.test(name))),
  )
}

/** Creates a data fetch with a different value in the email address, or in all other IDs. */
function unusualTask(
  { prober, random }: Plan,
  customer: Customer,
  role: 'email' | 'id',
  contains: string,
  make: (word: string) => string,
  special: Partial<SpecialText> = {},
): (() => Promise<UnusualProbe>) | undefined {
  const { ids, markers, passed } = customer
  const names = freeIds(customer, role)
  if (names.length === 0) return undefined
  // No other ID or request has the same start, so that only a response to this one contains it.
  const inEmail = `${markers.requester ?? markers.issue ?? 'sidecard'}e`
  const words = names.map(([name]) => {
    if (name in passed || special.isReplaced) return random()
    return role === 'email' ? inEmail : (ids[name] ?? '')
  })
  const changed = names.map(([name], index) => [name, make(words[index]!)])
  const prefix = isPassed(customer) ? `data fetch for ${customer.name}` : 'data fetch'
  const unusual = { ...customer, ids: { ...ids, ...Object.fromEntries(changed) } }
  return async () => ({
    ...(await prober.data(role, `${prefix} with ${contains}`, unusual)),
    words,
    special,
    isPassedId: names.some(([name]) => name in passed),
  })
}
