import { FETCH_DATA_PARAMETERS } from '../../runtime/contract/parameters.ts'
import type { FetchDataParameter } from '../../runtime/contract/parameters.ts'
import type { FetchDataIds } from '../service/endpoint/query.ts'

/** The kinds of IDs that identify a customer in a response. */
export const MARKER_KINDS = ['issue', 'organization', 'account', 'requester'] as const

export type MarkerKind = (typeof MARKER_KINDS)[number]

/** A customer to fetch data for. */
export interface Customer {
  /**
   * The name in sentences, such as `customer 2`. Data fetches for one customer have
   * the same name.
   */
  readonly name: string
  /**
   * The unique start of the made-up IDs, by kind. Customers that share an account
   * or a requester share its marker. A kind whose ID was passed has no marker.
   */
  readonly markers: Readonly<Partial<Record<MarkerKind, string>>>
  /** The IDs that were passed to the check, without those of the app and its widget. */
  readonly passed: FetchDataIds
  readonly ids: FetchDataIds
}

/** Creates a unique string of letters and digits. */
export type RandomToken = () => string

/** The owner of an issue. */
export type Owner = Readonly<Record<Exclude<MarkerKind, 'issue'>, string>>

/** The parameters that identify a customer, with the kind of each. */
export const ID_KINDS: ReadonlyArray<readonly [FetchDataParameter, MarkerKind]> = [
  ['issue_id', 'issue'],
  ['organization_id', 'organization'],
  ['account_id', 'account'],
  ['requester_id', 'requester'],
  ['requester_email', 'requester'],
]

/** Creates an owner that the endpoint does not know. */
export function createOwner(random: RandomToken): Owner {
  return { organization: random(), account: random(), requester: random() }
}

/** Creates a customer: the given IDs, and made-up ones for the rest. */
export function createCustomer(
  random: RandomToken,
  name: string,
  ids: FetchDataIds,
  owner: Owner = createOwner(random),
): Customer {
  const markers = { issue: random(), ...owner }
  const given = ID_KINDS.filter(([parameter]) => ids[parameter] !== undefined)
  const kinds = new Set(given.map(([, kind]) => kind))
  return {
    name,
    markers: Object.fromEntries(
      Object.entries(markers).filter(([kind]) => !kinds.has(kind as MarkerKind)),
    ),
    passed: Object.fromEntries(given.map(([parameter]) => [parameter, ids[parameter]])),
    ids: {
      // The app and its widget are the same for every customer.
      app_id: 'sidecard-check-app',
      widget_id: 'sidecard-check-widget',
      issue_id: `${markers.issue}-issue`,
      organization_id: `${owner.organization}-organization`,
      account_id: `${owner.account}-account`,
      requester_id: `${owner.requester}-requester`,
      requester_email: `${owner.requester}@${owner.requester}.example.com`,
      ...Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== undefined)),
    },
  }
}

/** Creates a customer that the endpoint does not know. */
export function createFakeCustomer(
  random: RandomToken,
  name: string,
  { app_id, widget_id }: FetchDataIds,
  owner?: Owner,
): Customer {
  return createCustomer(random, name, { app_id, widget_id }, owner)
}

/**
 * Creates customers that a broken cache or a shared variable would mix up: two
 * unrelated ones, and one each that shares the account, the requester or the
 * organization of the first.
 */
export function createFakeCustomers(random: RandomToken, ids: FetchDataIds): readonly Customer[] {
  const { organization, account, requester } = createOwner(random)
  const shared: ReadonlyArray<Partial<Owner>> = [
    { organization, account, requester },
    {},
    { organization, account },
    { requester },
    { organization },
  ]
  return shared.map((parts, index) =>
    createFakeCustomer(random, `made-up customer ${index + 1}`, ids, {
      ...createOwner(random),
      ...parts,
    }),
  )
}

/** Creates the customers of the option `customers`. */
export function createCustomers(
  customers: ReadonlyArray<{ readonly ids: FetchDataIds }>,
  random: RandomToken,
  owner?: Owner,
): readonly Customer[] {
  return customers.map(({ ids }, index) =>
    createCustomer(random, `customer ${index + 1}`, ids, owner),
  )
}

/** Returns whether any ID is present. */
export function hasCustomIds(ids: FetchDataIds): boolean {
  return FETCH_DATA_PARAMETERS.some((name) => ids[name] !== undefined)
}

/** Returns whether a customer was passed to the check. */
export function isPassed({ passed }: Customer): boolean {
  return Object.keys(passed).length > 0
}

/**
 * Returns whether two customers are related: requesters of one account may see
 * each other's data.
 */
export function isRelated(left: Customer, right: Customer): boolean {
  const accounts = [left.passed.account_id, right.passed.account_id]
  return (
    left.name === right.name ||
    (accounts.includes(undefined) ? sharesId(left, right) : accounts[0] === accounts[1])
  )
}

/** Returns whether two customers were passed with the same ID. */
export function sharesId({ passed }: Customer, other: Customer): boolean {
  return ID_KINDS.some(
    ([name]) => passed[name] !== undefined && passed[name] === other.passed[name],
  )
}

/** Returns twelve random letters and digits. */
export const randomToken: RandomToken = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
