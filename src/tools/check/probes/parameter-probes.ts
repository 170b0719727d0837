import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import type { Plan } from './contract-probes.ts'
import { createCustomers, createFakeCustomer, ID_KINDS, isPassed } from '../customers.ts'
import type { Customer } from '../customers.ts'
import type { DataProbe, UnusualProbe } from '../probe.ts'
import { emailWith, idWith, SPECIAL_TEXTS } from './dimensions.ts'

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

/**
 * Creates data fetches with absent, empty or unusual parameters, for a made-up
 * customer and for the passed ones in turn. A passed ID is never changed, because
 * the endpoint may not know another one.
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
  const passed = createCustomers(settings.customers, random).filter(isPassed)
  return [
    () => prober.data('absentIds', 'data fetch without IDs', without),
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
      const [known = madeUp] = inTurn
      const owner = special.selects || index % 2 === 0 ? madeUp : known
      const looked = freeIds(owner).filter(([name]) => special.selects && name in known.passed)
      const free = looked.length > 0 ? looked : freeIds(owner)
      const [name] = free[index % Math.max(1, free.length)] ?? []
      const id = (word: string) => idWith(special, word)
      return [
        ...[...inTurn, madeUp].map((each) =>
          unusualTask(plan, each, 'email', `${contains} in the email`, email),
        ),
        unusualTask(plan, owner, 'id', `${contains} in the ${name}`, id, name),
      ]
    }),
  ].flatMap((task) => task ?? [])
}

/** Returns the IDs, other than the email address, that a check may change. */
function freeIds({ passed }: Customer) {
  return ID_KINDS.filter(([name]) => name !== 'requester_email' && !(name in passed))
}

/** Creates a data fetch with a different value in the email address, in one ID or in all of them. */
function unusualTask(
  { prober }: Plan,
  customer: Customer,
  role: 'email' | 'id',
  contains: string,
  make: (word: string) => string,
  only?: string,
): (() => Promise<UnusualProbe>) | undefined {
  const { ids, markers, passed } = customer
  const word = markers.requester ?? markers.issue ?? 'sidecard'
  const names =
    role === 'id'
      ? freeIds(customer).filter(([name]) => only === undefined || name === only)
      : ID_KINDS.filter(([name]) => name === 'requester_email' && passed[name] === undefined)
  if (names.length === 0) return undefined
  const changed = names.map(([name]) => [name, make(role === 'email' ? word : (ids[name] ?? ''))])
  const evaluated = `${role === 'email' ? word : (ids[names[0]?.[0] ?? 'issue_id'] ?? '')}49`
  const prefix = isPassed(customer) ? `data fetch for ${customer.name}` : 'data fetch'
  const unusual = { ...customer, ids: { ...ids, ...Object.fromEntries(changed) } }
  return async () => ({
    ...(await prober.data(role, `${prefix} with ${contains}`, unusual)),
    evaluated,
  })
}
