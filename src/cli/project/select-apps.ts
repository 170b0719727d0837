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

/** An app, or a URL without an app, that a command uses. */
export interface SelectedApp {
  /** The name of the app and its environment; `undefined` for a URL that is not in the project. */
  readonly name?: string
  readonly url: URL
  /** The headers for the origin of this URL, as written in the file. */
  readonly headers: Readonly<Record<string, string>>
  readonly command?: string | undefined
  /** The customers that exist in this environment. */
  readonly customers: readonly ProjectCustomer[]
  readonly place?: Place
  /** The source of the URL, for messages. */
  readonly origin: string
}

/**
 * Selects the apps of a command: the app with the given name or URL, or all apps
 * on this machine.
 *
 * @throws {SidecardError} `usage` for an unknown name, or a URL of another machine
 * that the command line does not name
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
  const targets = listTargets(project)
  if (target !== undefined && /^https?:/i.test(target)) {
    if (environment !== undefined) throw usageError('--env needs the name of an app, not a URL.')
    const url = parseEndpointUrl(target)
    const found = targets.find(({ selected }) => selected.url.href === url.href)
    return [found?.selected ?? { url, headers: {}, customers: [], origin: '' }]
  }
  const named = target === undefined ? apps : [findApp(target, apps)]
  if (environment !== undefined) {
    return named.map((app) => {
      const found = targets.find((each) => each.app === app && each.environment === environment)
      if (found !== undefined) return found.selected
      const known = Object.keys(app.environments)
      throw unknownName(`environment of ${app.name}`, environment, known, '--env: ')
    })
  }
  const variables = withLocalSecrets(project.folder, io.env)
  if (named.length === 0) {
    return [{ url: new URL(localEndpoint(variables)), headers: {}, customers: [], origin: '' }]
  }
  const onThisMachine = targets.filter((each) => each.environment === undefined)
  return onThisMachine
    .filter(({ app }) => named.includes(app))
    .map(({ app, selected }) => {
      const { url, origin } = selected
      const isLocal = isLoopback(url.hostname)
      if (!isLocal && target === undefined) {
        throw usageError(
          `${origin}: the URL of ${app.name} is not on this machine. To use it, name the app.`,
        )
      }
      // `PORT` applies to the server and to every command.
      if (!isLocal || apps.length > 1 || !variables['PORT']) return selected
      const { port } = new URL(localEndpoint(variables))
      if (port === url.port) return selected
      url.port = port
      return { ...selected, origin: `port of PORT, ${origin}` }
    })
}

function findApp(name: string, apps: readonly ProjectApp[]): ProjectApp {
  if (apps.length > 0) return findNamed('app', name, apps)
  throw usageError(
    `there is no app ${JSON.stringify(name)}, because there is no sidecard.json with apps. A URL starts with http:// or https://.`,
  )
}

/** Lists each app, followed by its environments. */
function listTargets({ apps, customers }: FoundProject) {
  const select = (
    name: string,
    { url, headers, place }: Pick<ProjectApp, 'url' | 'headers' | 'place'>,
    command?: string,
    names?: readonly string[],
  ): SelectedApp => ({
    name,
    url: new URL(url),
    headers,
    command,
    customers: customers.filter((each) => names?.includes(each.name) ?? true),
    place,
    origin: formatPlace(place),
  })
  return apps.flatMap((app) => [
    { app, environment: undefined, selected: select(app.name, app, app.command) },
    ...Object.entries(app.environments).map(([environment, each]) => ({
      app,
      environment,
      selected: select(`${app.name} ${environment}`, each, undefined, each.customers),
    })),
  ])
}
