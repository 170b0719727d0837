import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { FetchDataIds } from '../desk/query.ts'

/** Somebody to fetch data for. */
export interface Customer {
  /**
   * What every id of this customer begins with; nobody else's does. `undefined`
   * when the ids were given from outside and may occur anywhere.
   */
  readonly token: string | undefined
  readonly ids: FetchDataIds
}

/** Makes customers that nobody knows, each with a token of its own. */
export function inventCustomer(randomToken: () => string, given: FetchDataIds = {}): Customer {
  const token = randomToken()
  return {
    token,
    ids: {
      // The app and its widget are the same whoever the customer is.
      app_id: given.app_id ?? 'sidecard-check-app',
      widget_id: given.widget_id ?? 'sidecard-check-widget',
      issue_id: `${token}-issue`,
      organization_id: `${token}-organization`,
      account_id: `${token}-account`,
      requester_id: `${token}-requester`,
      requester_email: `${token}@example.com`,
    },
  }
}

/** The customer of the samples: the ids that were given, and invented ones for the rest. */
export function mainCustomer(randomToken: () => string, given: FetchDataIds): Customer {
  const invented = inventCustomer(randomToken, given)
  return hasIds(given) ? { token: undefined, ids: { ...invented.ids, ...given } } : invented
}

/** Tells whether any id was given. */
export function hasIds(given: FetchDataIds): boolean {
  return FETCH_DATA_PARAMETERS.some((name) => given[name] !== undefined)
}

/** Twelve letters and digits that occur nowhere else. */
export function randomToken(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 12)
}
