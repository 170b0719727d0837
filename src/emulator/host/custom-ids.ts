import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { closestMatch } from '../../internal/closest-match.ts'
import { SidecardError } from '../../internal/errors.ts'
import type { FetchDataIds } from '../../service/query.ts'
import type { CustomIds } from '../protocol-exchanges.ts'

/**
 * Rejects unknown parameters, and values that are neither strings nor null.
 *
 * @throws {SidecardError} `invalid_ids`
 */
export function assertCustomIds(params: CustomIds, source: string): void {
  if (typeof params !== 'object' || params === null) {
    throw new SidecardError('invalid_ids', `${source}: params must be an object of IDs.`)
  }
  for (const [name, value] of Object.entries(params)) {
    if (!(FETCH_DATA_PARAMETERS as readonly string[]).includes(name)) {
      const suggestion = closestMatch(name, FETCH_DATA_PARAMETERS)
      const hint = suggestion ?? FETCH_DATA_PARAMETERS.join(', ')
      const message = `${source}: unknown parameter ${JSON.stringify(name)}. Use ${hint}.`
      throw new SidecardError('invalid_ids', message)
    }
    if (value !== null && typeof value !== 'string') {
      const message = `${source}: ${name} has the type ${typeof value}. Use a string, or null to leave it out.`
      throw new SidecardError('invalid_ids', message)
    }
  }
}

/** Replaces IDs with custom ones. `null` omits an ID. */
export function replaceIds(ids: FetchDataIds, custom: CustomIds = {}): FetchDataIds {
  return Object.fromEntries(
    FETCH_DATA_PARAMETERS.map((name) => {
      const value = custom[name]
      return [name, value === undefined ? ids[name] : (value ?? undefined)]
    }),
  )
}
