import { OPERATIONS } from '../../contract/operations.ts'
import { isJsonObject } from '../../service/json-object.ts'
import { say } from './evidence.ts'
import type { ApiCall } from './traffic.ts'

/** The reason of assumptions about the API. */
export const NO_CALL = say`the file contains no API call`

/** Returns whether a call has a 2xx status. */
export const isSuccess = ({ status }: ApiCall): boolean => status >= 200 && status <= 299

/** Returns whether a call lists objects. */
export const isList = ({ operation }: ApiCall): boolean =>
  OPERATIONS[operation].response.envelope === 'list'

/** Returns the field `data`, and the pagination of a list. */
export function readEnvelope({ body }: ApiCall) {
  const { data, pagination } = isJsonObject(body) ? body : {}
  const items = Array.isArray(data) ? (data as unknown[]) : undefined
  const { cursor, has_next_page: hasNextPage } = isJsonObject(pagination) ? pagination : {}
  return { data, items, cursor: typeof cursor === 'string' ? cursor : undefined, hasNextPage }
}
