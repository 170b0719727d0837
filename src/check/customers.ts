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
  given: FetchDataIds = {},
  { account = random(), requester = random() }: Partial<Owner> = {},
): Customer {
  const issue = random()
  return {
    markers: { issue, account, requester },
    ids: {
      // The app and its widget are the same for every customer.
      app_id: given.app_id ?? 'sidecard-check-app',
      widget_id: given.widget_id ?? 'sidecard-check-widget',
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
export function createFakeCustomers(random: RandomToken, given: FetchDataIds): readonly Customer[] {
  const owner = { account: random(), requester: random() }
  return [
    createFakeCustomer(random, given, owner),
    createFakeCustomer(random, given),
    createFakeCustomer(random, given, { account: owner.account }),
    createFakeCustomer(random, given, { requester: owner.requester }),
  ]
}

/** Creates the customer of the samples: the given IDs, and made-up ones for the rest. */
export function sampleCustomer(random: RandomToken, given: FetchDataIds): Customer {
  const fake = createFakeCustomer(random, given)
  return hasCustomIds(given) ? { markers: {}, ids: { ...fake.ids, ...given } } : fake
}

/** Returns whether any ID was given. */
export function hasCustomIds(given: FetchDataIds): boolean {
  return FETCH_DATA_PARAMETERS.some((name) => given[name] !== undefined)
}

/** Returns twelve random letters and digits. */
export const randomToken: RandomToken = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
