import { closestMatch } from '../../../runtime/internal/closest-match.ts'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import type { SectionConditions } from '../../../runtime/internal/section-conditions.ts'
import { type Project, readProject } from '../../project/project.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import type { CustomerView, StateView } from '../protocol/exchanges.ts'
import type { OpenIssueOptions } from '../protocol/widgets.ts'

/** The customer or the state for which a data fetch is sent. */
export interface Subject {
  readonly customer: string | null
  readonly state: string | null
  /** Null for the IDs of the issue. */
  readonly ids: FetchDataIds | null
  readonly sections: SectionConditions
}

/** The customers and states of the project, for use inside the emulator. */
export type ProjectEntries = ReturnType<typeof createProjectEntries>

/** The customers and states of the project. */
export interface EmulatorProject extends Pick<ProjectEntries, 'customers' | 'states' | 'set'> {}

/**
 * Creates the list of customers and states.
 *
 * @throws {SidecardError} `invalid_project`
 */
export function createProjectEntries(given: object | undefined, changed: () => void) {
  let current = read(given ?? {})

  function find<Entry extends { readonly name: string }>(
    what: 'customer' | 'state',
    entries: readonly Entry[],
    name: string,
  ): Entry {
    const found = entries.find((entry) => entry.name === name)
    if (found !== undefined) return found
    const names = entries.map((entry) => entry.name)
    const nearest = closestMatch(name, names)
    const hint = nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
    throw new SidecardError('not_found', `The project has no ${what} with this name.${hint}`)
  }

  return {
    /** The customers of `sidecard.json` and `sidecard.local.json`. */
    customers: (): readonly CustomerView[] =>
      current.customers.map(({ name, ids, shows, place }) => {
        return { name, ids, shows, place }
      }),
    /** The states of the same files. */
    states: (): readonly StateView[] =>
      current.states.map(({ customer = null, place, name, ids, sections, actions }) => {
        return { name, customer, ids, sections, actions, place }
      }),
    /** The sidebar of an unknown customer. */
    unknown: () => current.unknown,
    /** Replaces the project after its files changed. @throws {SidecardError} `invalid_project` */
    set(project: object): void {
      current = read(project)
      changed()
    },
    /**
     * Resolves the name of a customer or of a state.
     *
     * @throws {SidecardError} `not_found`; `invalid_options` for both
     */
    resolve({ customer, state }: Pick<OpenIssueOptions, 'customer' | 'state'>): Subject {
      if (state !== undefined && customer !== undefined) {
        throw new SidecardError('invalid_options', 'Pass a customer or a state, not both.')
      }
      if (state !== undefined) {
        const { name, customer: owner, ids, sections } = find('state', current.states, state)
        return { customer: owner ?? null, state: name, ids, sections }
      }
      const none = { state: null, sections: {} }
      if (customer === undefined) return { ...none, customer: null, ids: null }
      const { name, ids } = find('customer', current.customers, customer)
      return { ...none, customer: name, ids }
    },
  }
}

/** Reads the content of `sidecard.json`, unless it has been read already. */
function read(project: object): Project {
  return 'customers' in project && Array.isArray(project.customers)
    ? (project as Project)
    : readProject(project)
}
