import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import { readJson } from '../../service/responses/reading.ts'
import type { LoggedExchange } from '../core/exchange-log.ts'

const IDS: ReadonlySet<string> = new Set(FETCH_DATA_PARAMETERS)

/** Reads the IDs of a data fetch from its parameters. */
export function readIds(parameters: LoggedExchange['parameters']): FetchDataIds {
  return Object.fromEntries(parameters.filter(([name]) => IDS.has(name)))
}

/** Parses the body of a response. Text that is not JSON, or too deep, is returned unchanged. */
export function parseBody(text: string): unknown {
  const value = readJson(text)
  return value === undefined ? text : value
}
