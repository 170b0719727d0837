import { isLoopback } from '../../internal/is-loopback.ts'
import {
  formatPlace,
  type Place,
  type ProjectApp,
  type ProjectCustomer,
} from '../../project/index.ts'
import { parseEndpointUrl } from '../../service/target.ts'
import { findNamed, unknownName } from '../flags.ts'
import { localEndpoint } from '../commands/endpoint-flags.ts'
import type { CliContext } from '../io.ts'
import { withLocalSecrets } from '../local-secrets.ts'
import { usageError } from '../run-command.ts'
import type { FoundProject } from './find-project.ts'

/** An app, or a URL without an app, on which a command works. */
export interface SelectedApp {
  /** The name of the app and its environment; `undefined` for a URL that the project does not have. */
  readonly name?: string
  readonly url: URL
  /** The headers for the origin of this URL, as the file contains them. */
  readonly headers: Readonly<Record<string, string>>
  readonly command?: string | undefined
  /** The customers that exist there. */
  readonly customers: readonly ProjectCustomer[]
  readonly place?: Place
  /** Where the URL is from, for people. */
  readonly origin: string
}

/**
 * Selects the apps of a command: the one that the command line names by its name
 * or its URL, or all apps on this machine.
 *
 * @throws {SidecardError} `usage` for an unknown name, or a URL of another machine that the command line does not name
 */
export function selectApps(
  project: FoundProject,
  {
    target,
    environment,
  }: { readonly target?: string | undefined; readonly environment?: string | undefined },
  io: Pick<CliContext, 'env'>,
): readonly SelectedApp[] {
  const { apps } = project
  if (target !== undefined && /^https?:/i.test(target)) {
    if (environment !== undefined) throw usageError('--env needs the name of an app, not a URL.')
    return [findByUrl(project, parseEndpointUrl(target))]
  }
  const named = target === undefined ? apps : [findApp(target, apps)]
  if (environment !== undefined) return named.map((app) => inEnvironment(project, app, environment))
  const variables = withLocalSecrets(project.folder, io.env)
  if (named.length === 0) {
    return [{ url: new URL(localEndpoint(variables)), headers: {}, customers: [], origin: '' }]
  }
  return named.map((app) => {
    const selected = withCustomers(project, app.name, app)
    const isLocal = isLoopback(selected.url.hostname)
    if (!isLocal && target === undefined) {
      throw usageError(
        `${formatPlace(app.place)}: the URL of ${app.name} is not on this machine. To use it, name the app.`,
      )
    }
    // `PORT` applies to the server and to every command.
    if (!isLocal || apps.length > 1 || !variables['PORT']) return selected
    const { port } = new URL(localEndpoint(variables))
    if (port === selected.url.port) return selected
    selected.url.port = port
    return { ...selected, origin: `port of PORT, ${selected.origin}` }
  })
}

function findApp(name: string, apps: readonly ProjectApp[]): ProjectApp {
  if (apps.length > 0) return findNamed('app', name, apps)
  throw usageError(
    `there is no app ${JSON.stringify(name)}, because no sidecard.json has apps. A URL starts with http:// or https://.`,
  )
}

function inEnvironment(project: FoundProject, app: ProjectApp, name: string): SelectedApp {
  const found = Object.entries(app.environments).find(([key]) => key === name)
  if (found !== undefined) return withCustomers(project, `${app.name} ${name}`, found[1])
  throw unknownName(`environment of ${app.name}`, name, Object.keys(app.environments), '--env: ')
}

function findByUrl(project: FoundProject, url: URL): SelectedApp {
  for (const app of project.apps) {
    if (app.url === url.href) return withCustomers(project, app.name, app)
    for (const [name, { url: other }] of Object.entries(app.environments)) {
      if (other === url.href) return inEnvironment(project, app, name)
    }
  }
  return { url, headers: {}, customers: [], origin: '' }
}

function withCustomers(
  { customers }: FoundProject,
  name: string,
  target: Pick<ProjectApp, 'url' | 'headers' | 'place'> & {
    readonly command?: string | undefined
    readonly customers?: readonly string[] | undefined
  },
): SelectedApp {
  return {
    name,
    url: new URL(target.url),
    headers: target.headers,
    command: target.command,
    customers: customers.filter(
      (each) => target.customers === undefined || target.customers.includes(each.name),
    ),
    place: target.place,
    origin: formatPlace(target.place),
  }
}
