import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import type { ProjectApp, ProjectCustomer } from '../../project/project.ts'
import { parseEndpointUrl } from '../../service/endpoint/target.ts'
import { findNamed, unknownName } from '../flags.ts'
import { localEndpoint } from '../endpoint-flags.ts'
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
  /** The texts of unknown customers. */
  readonly unknown: FoundProject['unknown']
  /** The source of the URL, for messages; empty for the command line. */
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
  { env }: Pick<CliContext, 'env'>,
  target?: string,
  environment?: string,
): readonly SelectedApp[] {
  const { apps } = project
  if (target !== undefined && /^https?:/i.test(target)) {
    if (environment !== undefined) throw usageError('--env needs the name of an app, not a URL.')
    const url = parseEndpointUrl(target)
    const found = apps.find((app) => app.url === url.href)
    return [found === undefined ? unnamed(url) : select(found, project)]
  }
  const own = apps.filter((app) => app.environment === undefined)
  const named = target === undefined ? own : [findApp(target, own)]
  if (environment !== undefined) {
    return named.map(({ name }) => {
      const ofApp = apps.filter((app) => app.name === name)
      const found = ofApp.find((app) => app.environment === environment)
      if (found !== undefined) return select(found, project)
      const known = ofApp.flatMap((app) => app.environment ?? [])
      throw unknownName(`environment of ${name}`, environment, known, '--env: ')
    })
  }
  const variables = withLocalSecrets(project.folder, env)
  if (named.length === 0) return [unnamed(new URL(localEndpoint(variables)))]
  return named.map((app) => {
    const selected = select(app, project)
    const { url, origin } = selected
    const isLocal = isLoopback(url.hostname)
    if (!isLocal && target === undefined) {
      throw usageError(
        `${origin}: the URL of ${app.name} is not on this machine. To use it, name the app.`,
      )
    }
    // `PORT` applies to the server and to every command.
    if (!isLocal || own.length > 1 || !variables['PORT']) return selected
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

function select(
  { name, environment, url, headers, command, customers: names, place }: ProjectApp,
  { customers, unknown }: FoundProject,
): SelectedApp {
  return {
    name: environment === undefined ? name : `${name} ${environment}`,
    url: new URL(url),
    headers,
    command,
    customers: customers.filter((each) => names?.includes(each.name) ?? true),
    unknown,
    origin: place,
  }
}

/** Returns what is known about a URL that the project does not have. */
function unnamed(url: URL): SelectedApp {
  return { url, headers: {}, customers: [], unknown: { shows: [] }, origin: '' }
}
