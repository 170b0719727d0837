import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import type { Plan } from './contract-probes.ts'
import { createFakeCustomer, ID_KINDS, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import type { Probe } from '../probe.ts'

/** The requests to which the endpoint has responded correctly. */
export interface Capabilities {
  readonly handshake: boolean
  readonly data: boolean
  /** Whether no response violated the contract. */
  readonly conformant: boolean
  /** Whether data is returned for made-up customers. */
  readonly anyCustomer: boolean
}

type Task = () => Promise<Probe>

const EMAILS: ReadonlyArray<readonly [contains: string, make: (word: string) => string]> = [
  ['special characters in the email', (word) => `o'${word}+b&b=c%20@example.com`],
  ['a plus sign and capital letters in the email', (word) => `${word}.Ann+Billing@Example.COM`],
]

const IDS: ReadonlyArray<readonly [contains: string, make: (word: string) => string]> = [
  ['non-ASCII letters in the IDs', (word) => `${word}-é-ж-漢-🙂`],
  ['long IDs', (word) => `${word}-${'0123456789'.repeat(20)}`],
]

/**
 * Creates data fetches with absent, empty or unusual parameters, for a made-up
 * customer and for the first passed one. A passed ID is never changed, because the
 * endpoint may not know another one.
 */
export function parameterTasks(plan: Plan, working: Capabilities): readonly Task[] {
  if (!working.data) return []
  const { prober, settings, customer, random } = plan
  const empty = Object.fromEntries(FETCH_DATA_PARAMETERS.map((name) => [name, '']))
  const noCustomer = (name: string, ids: Customer['ids']) => ({
    name,
    ids,
    markers: {},
    passed: {},
  })
  const without = noCustomer('no customer', {})
  const withEmpty = noCustomer('a customer with empty IDs', empty)
  const madeUp = createFakeCustomer(random, 'made-up customer 7', settings.customers[0].ids)
  return [
    ...(working.conformant
      ? [
          () => prober.data('absentIds', 'data fetch without IDs', without),
          () => prober.data('emptyIds', 'data fetch with empty IDs', withEmpty),
        ]
      : []),
    ...(working.anyCustomer ? unusualTasks(plan, madeUp, 'data fetch') : []),
    ...(isPassed(customer) ? unusualTasks(plan, customer, `data fetch for ${customer.name}`) : []),
  ]
}

function unusualTasks({ prober }: Plan, customer: Customer, prefix: string): readonly Task[] {
  const { ids, markers, passed } = customer
  const word = markers.requester ?? markers.issue ?? 'sidecard'
  const free = ID_KINDS.filter(([name]) => name !== 'requester_email' && !(name in passed))
  const withEmail = (email: string) => ({ ...customer, ids: { ...ids, requester_email: email } })
  const emails = EMAILS.map(
    ([contains, make]) =>
      () =>
        prober.data('email', `${prefix} with ${contains}`, withEmail(make(word))),
  )
  const withIds = (make: (text: string) => string) => ({
    ...customer,
    ids: { ...ids, ...Object.fromEntries(free.map(([name]) => [name, make(ids[name] ?? '')])) },
  })
  return [
    ...(passed.requester_email === undefined ? emails : []),
    ...(free.length === 0 ? [] : IDS).map(
      ([contains, make]) =>
        () =>
          prober.data('id', `${prefix} with ${contains}`, withIds(make)),
    ),
  ]
}
