/** The seven IDs of a `fetch_data` request, in the contract's order. @see docs/contract.md#requests */
export const FETCH_DATA_PARAMETERS = [
  'app_id',
  'widget_id',
  'issue_id',
  'organization_id',
  'account_id',
  'requester_id',
  'requester_email',
] as const

/** The name of one of the seven IDs of a `fetch_data` request. */
export type FetchDataParameter = (typeof FETCH_DATA_PARAMETERS)[number]

/** The seven IDs of a request: absent and empty are both `undefined`. */
export type FetchDataParams = { readonly [Name in FetchDataParameter]: string | undefined }
