import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { FetchDataIds } from '../service/query.ts'

/** The kinds of IDs that identify a customer in a response. */
export type MarkerKind = 'issue' | 'account' | 'requester'

/** A customer to fetch data for. */
export interface Customer {
  /**
   * The unique start of the made-up IDs, by kind. Customers that share an account
   * or a requester share its marker. Empty for IDs that were passed to the check,
   * because those may occur anywhere.
   */
  readonly markers: Readonly<Partial<Record<MarkerKind, string>>>
  readonly ids: FetchDataIds
}

/** Creates a unique string of letters and digits. */
export type RandomToken = () => string

/** The owner of an issue: an account with its organization, and a requester. */
interface Owner {
  readonly account: string
  readonly requester: string
}

/** Creates a customer that the endpoint does not know. */
export function createFakeCustomer(
  random: RandomToken,
  ids: FetchDataIds = {},
  { account = random(), requester = random() }: Partial<Owner> = {},
): Customer {
  const issue = random()
  return {
    markers: { issue, account, requester },
    ids: {
      // The app and its widget are the same for every customer.
      app_id: ids.app_id ?? 'sidecard-check-app',
      widget_id: ids.widget_id ?? 'sidecard-check-widget',
      issue_id: `${issue}-issue`,
      organization_id: `${account}-organization`,
      account_id: `${account}-account`,
      requester_id: `${requester}-requester`,
      requester_email: `${requester}@example.com`,
    },
  }
}

/**
 * Creates customers that a broken cache or a shared variable confuses: two
 * unrelated ones, one with the account of the first, and one with its requester.
 */
export function createFakeCustomers(random: RandomToken, ids: FetchDataIds): readonly Customer[] {
  const owner = { account: random(), requester: random() }
  return [
    createFakeCustomer(random, ids, owner),
    createFakeCustomer(random, ids),
    createFakeCustomer(random, ids, { account: owner.account }),
    createFakeCustomer(random, ids, { requester: owner.requester }),
  ]
}

/** Creates the customer of the samples: the given IDs, and made-up ones for the rest. */
export function sampleCustomer(random: RandomToken, ids: FetchDataIds): Customer {
  const madeUp = createFakeCustomer(random, ids)
  return hasCustomIds(ids) ? { markers: {}, ids: { ...madeUp.ids, ...ids } } : madeUp
}

/** Returns whether any ID is present. */
export function hasCustomIds(ids: FetchDataIds): boolean {
  return FETCH_DATA_PARAMETERS.some((name) => ids[name] !== undefined)
}

/** Returns twelve random letters and digits. */
export const randomToken: RandomToken = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
