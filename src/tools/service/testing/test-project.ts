import { SidecardError } from '../../../runtime/internal/errors.ts'
import { quote } from '../../internal/escape-for-display.ts'
import { isRecord } from '../../../runtime/internal/read-options.ts'
import type { SectionConditions } from '../../../runtime/internal/section-conditions.ts'
import { type Project, readProject } from '../../project/project.ts'
import { resolveHeaders } from '../../project/resolve-headers.ts'
import type { FetchDataIds } from '../endpoint/query.ts'
import { suggestName } from './suggest-name.ts'

/** A customer or a state of the project, in the form that a test opens. */
interface OpenableState {
  readonly ids: FetchDataIds
  readonly sections: SectionConditions
}

/** The part of a project that a test uses. */
export interface TestProject {
  /** The headers of the apps, except for those whose variables `env` lacks. */
  readonly headers: Readonly<Record<string, string>>
  /** @throws {SidecardError} `invalid_options` unless a state or a customer has this name */
  find(name: string): OpenableState
}

/**
 * Reads the project of a test.
 *
 * @param url the URL of the endpoint, unless it is in process. Only its origin
 * gets the headers
 * @throws {SidecardError} `invalid_project`
 */
export function readTestProject(value: object, env: unknown, url: URL | undefined): TestProject {
  const project = readProject(value)
  const variables = isRecord(env) ? env : {}
  // In-process apps may have different variables. The first app with a value counts.
  const headers = listHeaders(project, url).map((each) => resolveHeaders(each, variables).headers)
  return {
    headers: Object.assign({}, ...headers.toReversed()) as Record<string, string>,
    find: (name) => findState(project, name),
  }
}

function listHeaders({ apps }: Project, url: URL | undefined) {
  return apps
    .filter((app) =>
      url === undefined ? app.environment === undefined : new URL(app.url).origin === url.origin,
    )
    .toSorted((a, b) => Number(b.url === url?.href) - Number(a.url === url?.href))
    .map((app) => app.headers)
}

function findState({ states, customers }: Project, name: string): OpenableState {
  const state = states.find((each) => each.name === name)
  if (state !== undefined) return state
  const customer = customers.find((each) => each.name === name)
  if (customer !== undefined) return { ids: customer.ids, sections: {} }
  const names = [...states, ...customers].map((each) => each.name)
  const hint = suggestName(name, names, (listed) => `The states and customers are ${listed}.`)
  throw new SidecardError('invalid_options', `openState: there is no state ${quote(name)}. ${hint}`)
}
