import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { FetchDataIds } from '../desk/query.ts'

/** Somebody to fetch data for. */
export interface Customer {
  /**
   * What the invented ids begin with; nobody else's do, unless they share an
   * account or a requester. Empty when the ids were given from outside, which
   * may occur anywhere.
   */
  readonly tokens: readonly string[]
  readonly ids: FetchDataIds
}

/** Makes a string of letters and digits that occurs nowhere else. */
export type RandomToken = () => string

/** Who owns an issue: an account with its organization, and a requester. */
interface Owner {
  readonly account: string
  readonly requester: string
}

/** Makes a customer that nobody knows. */
export function inventCustomer(
  random: RandomToken,
  given: FetchDataIds = {},
  { account = random(), requester = random() }: Partial<Owner> = {},
): Customer {
  const issue = random()
  return {
    tokens: [issue, account, requester],
    ids: {
      // The app and its widget are the same whoever the customer is.
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
 * Customers to mix up: two strangers, one who shares the account of the first,
 * and one who shares its requester, so that a cache whose key lacks an id shows.
 */
export function inventCustomers(random: RandomToken, given: FetchDataIds): readonly Customer[] {
  const owner = { account: random(), requester: random() }
  return [
    inventCustomer(random, given, owner),
    inventCustomer(random, given),
    inventCustomer(random, given, { account: owner.account }),
    inventCustomer(random, given, { requester: owner.requester }),
  ]
}

/** The customer of the samples: the ids that were given, and invented ones for the rest. */
export function mainCustomer(random: RandomToken, given: FetchDataIds): Customer {
  const invented = inventCustomer(random, given)
  return hasIds(given) ? { tokens: [], ids: { ...invented.ids, ...given } } : invented
}

/** Tells whether any id was given. */
export function hasIds(given: FetchDataIds): boolean {
  return FETCH_DATA_PARAMETERS.some((name) => given[name] !== undefined)
}

/** Twelve letters and digits that occur nowhere else. */
export const randomToken: RandomToken = () => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
