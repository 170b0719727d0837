import { FETCH_DATA_PARAMETERS } from '../../src/contract/parameters.ts'

/** The parameters that bare Hono reads from each request, as a sidebar app does. */
export const PARAMETERS = ['request_type', ...FETCH_DATA_PARAMETERS]
