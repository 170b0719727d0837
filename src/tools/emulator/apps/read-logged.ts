import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import type { LoggedExchange } from '../core/exchange-log.ts'

const IDS: ReadonlySet<string> = new Set(FETCH_DATA_PARAMETERS)

/** Reads the IDs of a data fetch from its parameters. */
export function readIds(parameters: LoggedExchange['parameters']): FetchDataIds {
  return Object.fromEntries(parameters.filter(([name]) => IDS.has(name)))
}

/** The maximum depth: deeper than any payload, and far below the limit of recursion. */
const MAX_DEPTH = 100

/** Parses the body of a response. Text that is not JSON, or too deep, is returned unchanged. */
export function parseBody(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isDeeperThan(MAX_DEPTH, value) ? text : value
  } catch {
    return text
  }
}
