import { FETCH_DATA_PARAMETERS } from '../../src/contract/parameters.ts'

/** What bare Hono reads of each request, as a sidebar app does. */
export const PARAMETERS = ['request_type', ...FETCH_DATA_PARAMETERS]
