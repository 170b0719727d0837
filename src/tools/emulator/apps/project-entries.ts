import { SidecardError } from '../../../runtime/internal/errors.ts'
import type { ProjectEntries } from '../core/project.ts'
import type { SaveStateInput } from '../protocol/exchanges.ts'
import { readIds } from './read-logged.ts'
import type { LoggedExchange } from '../core/exchange-log.ts'

/** The IDs that belong to the emulator, not to the customer. */
const OWN_IDS = new Set(['app_id', 'widget_id', 'issue_id', 'organization_id'])

/**
 * Returns the entries of `sidecard.local.json` for a data fetch: a state of a known
 * customer, or a new customer with a state for its conditions.
 *
 * @throws {SidecardError} `not_saveable` for a request without the IDs of a customer
 */
export function toProjectEntries(
  { kind, parameters, customer, sections, isCustom }: LoggedExchange,
  { name, shows }: Required<SaveStateInput>,
  project: ProjectEntries,
): object {
  const sent = Object.entries(readIds(parameters))
  const ids = Object.fromEntries(sent.filter(([id, value]) => !OWN_IDS.has(id) && value !== ''))
  if (kind !== 'fetch_data' || Object.keys(ids).length === 0) {
    const message = 'Only a data fetch with the IDs of a customer can be saved as a state.'
    throw new SidecardError('not_saveable', message)
  }
  const owner = project.customers().find((each) => each.name === customer)
  const isKnown = owner !== undefined && JSON.stringify(owner.ids) === JSON.stringify(ids)
  const conditions = sections === null ? {} : { sections }
  if (isKnown) return { states: { [name]: { customer, ...conditions } } }
  if (owner !== undefined && isCustom) return { states: { [name]: { ids, ...conditions } } }
  return {
    customers: { [name]: { ids, shows } },
    ...(sections !== null && { states: { [name]: { customer: name, sections } } }),
  }
}
