import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Project, ProjectCustomer } from '../../project/project.ts'
import { integer, string, text, withDefault } from '../../../runtime/internal/read-options.ts'
import { createCommand, listOption, option } from '../flags.ts'
import { parseJsonFile } from '../parse-json-file.ts'
import { runDev } from '../dev/run-dev.ts'
import type { DevApp, DevServerSettings, DevSettings } from '../dev/settings.ts'
import { withInterruptSignal } from '../interruption.ts'
import type { CliContext } from '../io.ts'
import { withLocalSecrets } from '../local-secrets.ts'
import { createMissingSecrets, describeApp, readAppHeaders } from '../apps/app-headers.ts'
import { findProject, type FoundProject } from '../apps/find-project.ts'
import { saveLocalEntries } from '../apps/save-local.ts'
import { type SelectedApp, selectApps } from '../apps/select-apps.ts'
import { needsServer, readCommand } from '../apps/server-command.ts'
import { parseEndpointUrl } from '../../service/endpoint/target.ts'
import { readInput } from '../read-input.ts'
import { nameOfProject } from '../read-manifest.ts'
import { runCommand, usageError } from '../run-command.ts'
import { type CustomerFlag, parseCustomer } from '../endpoint-flags.ts'
import { customerOption } from './endpoint-options.ts'

interface DevFlags {
  readonly port?: number
  readonly host?: string
  readonly allowHost?: readonly string[]
  readonly tunnelPort?: number
  readonly url?: readonly string[]
  readonly command?: string
  readonly header?: readonly string[]
  readonly customer?: readonly CustomerFlag[]
  readonly name?: string
  readonly database: string
  readonly dataset?: string
  readonly strict?: boolean
  readonly open?: boolean
  readonly once?: boolean
  readonly json?: boolean
}

const PORT = integer(0, 65_535)

const EXAMPLES = `
The command after --, or in --command, starts your dev
server. The emulator starts it, shows its output, and starts
it again after you save a source file. A command that
reloads itself, such as wrangler dev, keeps running. The
command receives no keyboard input: press ? for the keys of
sidecard dev. Its environment contains
PORT, the URL and token of the emulated API as
SIDECARD_API_URL and SIDECARD_API_TOKEN (if you have set a
token, the API uses it), and SIDECARD_DEV=1, so that it
reports the details of failures to the workspace. wrangler
dev receives them as options. PORT, and a header value
env:NAME, are read from the environment, .env or .dev.vars.

--once starts your app, opens one issue, prints the sidebar
and every failure, and exits.

Exit codes: 0 stopped by you, or --once without a failure,
1 --once with a failure, or your command ended before it
listened, 2 invalid usage, 3 --once: your server does not
listen, 130 --once was interrupted.

Examples:
  sidecard dev
  sidecard dev -- node src/server.ts
  sidecard dev -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    -- wrangler dev
  sidecard dev --param account_id=acme --dataset acme.json
  sidecard dev --once --json --param account_id=acme \\
    -- node src/server.ts
  sidecard dev --url http://127.0.0.1:3000/widget \\
    --database emulator.sqlite --open
`

const OPTIONS = [
  option(
    '--port <port>',
    'workspace port; 0 picks a free port (default: 4310 or the next free one)',
    PORT,
  ),
  option(
    '--host <address>',
    'address of the workspace, such as 0.0.0.0 in a container: the printed URL has a token (default: 127.0.0.1)',
    text,
  ),
  listOption(
    '--allow-host <name>',
    'a further name of this machine, such as my-box.local (repeatable)',
    text,
  ),
  listOption(
    '--url <url>',
    'the URL of an endpoint (repeatable; default: the apps of sidecard.json, or http://127.0.0.1 and PORT or 8787)',
    text,
  ),
  option('--command <command>', 'your dev command, so that options can follow it', text),
  listOption('-H, --header <name: value>', 'a custom header that the service sends', string),
  customerOption(
    'param',
    '--param <name=value>',
    'an ID to send to the app, such as account_id=acme',
  ),
  new Option('--dataset <file>', 'customers and issues of your own, as JSON'),
  option('--name <name>', 'app name (default: the package name)', text),
  option('--database <file>', 'store emulator data in this file', withDefault(text, ':memory:')),
  new Option('--strict', 'reject undocumented API requests'),
  new Option('--open', 'open the workspace in the browser'),
  new Option('--once', 'open one issue, print the sidebar and its failures, and exit'),
  new Option('--json', 'print events, or the result of --once, as JSON'),
  option('--tunnel-port <port>', 'open a port for a tunnel, which only exposes the endpoint', PORT),
]

/** Runs `sidecard dev`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('dev', OPTIONS, EXAMPLES)
    .description('Run your app in the emulator and reload the sidebar on every save.')
    .argument('[command...]', 'your dev command, after --')
  return runCommand(command, args, io, async (own: readonly string[], flags: DevFlags) => {
    if (args.at(-1) === '--') throw usageError('No command follows --. Add your dev command.')
    const project = findProject(io.cwd)
    const { folder } = project
    const env = withLocalSecrets(folder, io.env)
    const ids = parseCustomer(flags.customer, { cwd: folder, env: io.env })
    const { database, dataset: file, port, tunnelPort, host, allowHost: allowHosts = [] } = flags
    const { strict = false, open = false, once = false, json = false } = flags
    const dataset = file && parseJsonFile(`--dataset: ${file}`, await readInput(file, io))
    const settings: DevSettings = {
      ...(await readServers(project, readCommandFlag(own, flags), flags, io)),
      readProject: () => withCustomer(findProject(io.cwd), ids),
      emulator: {
        database: database === ':memory:' ? database : resolve(io.cwd, database),
        dataset: dataset as DevSettings['emulator']['dataset'],
        strict,
        saveToProject: async (entries) =>
          withCustomer(await saveLocalEntries(folder, entries), ids),
        ...(env['SIDECARD_API_TOKEN'] && { accessToken: env['SIDECARD_API_TOKEN'] }),
      },
      port,
      listen: { ...(host && { hostname: host }), allowHosts },
      tunnelPort,
      open,
      once,
      json,
    }
    const projectIo = { ...io, cwd: folder }
    return withInterruptSignal((signal) => runDev(settings, projectIo, signal))
  })
}

/**
 * Returns the apps of the command line or, without them, of the project, by
 * origin. A command from the file is printed first, and only starts if nothing
 * listens at the URL.
 *
 * @throws {SidecardError} `usage`
 */
async function readServers(
  project: FoundProject,
  command: readonly string[],
  { url: urls = [], header = [], name, tunnelPort }: DevFlags,
  io: CliContext,
): Promise<Required<Pick<DevSettings, 'servers' | 'generated'>>> {
  const { folder } = project
  const apps =
    urls.length === 0
      ? selectApps(project, io)
      : urls.flatMap((url) => selectApps(project, io, parseEndpointUrl(url).href))
  if (apps.length > 1) {
    const flag = [
      header.length > 0 && '-H',
      name !== undefined && '--name',
      tunnelPort !== undefined && '--tunnel-port',
    ].find((each) => each !== false)
    if (flag !== undefined) throw usageError(`${flag} is for one app. Pass its URL with --url.`)
  }
  const generated: Record<string, string> = {}
  const secrets = () => ({ folder, env: { ...io.env, ...generated }, generated })
  const origins = Map.groupBy(apps, ({ url }) => url.origin)
  if (command.length > 0 && origins.size > 1) {
    throw usageError('The command starts one server. Pass its URL with --url.')
  }
  const servers: DevServerSettings[] = []
  for (const found of origins.values()) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    const own = command.length > 0 ? command : await readFileCommand(found, folder, io)
    for (const app of own.length > 0 ? found : []) {
      Object.assign(generated, createMissingSecrets(app, secrets()))
    }
    const [first, ...others] = found.map((app): DevApp => {
      const headers = () => readAppHeaders(app, header, secrets())
      const names = Object.keys(headers())
      if (tunnelPort !== undefined && names.length === 0) {
        throw usageError(
          '--tunnel-port needs the header with the secret: -H "x-sidecard-secret: env:SIDECARD_SECRET".',
        )
      }
      if (app.name !== undefined) {
        io.stderr.write(`sidecard dev: ${describeApp(app, secrets())}\n`)
      }
      return { name: name ?? app.name ?? nameOfProject(folder), url: app.url, headers }
    })
    if (first === undefined) continue
    servers.push({ apps: [first, ...others], command: own })
  }
  return { servers: servers as [DevServerSettings, ...DevServerSettings[]], generated }
}

/** Returns the command of the file, if nothing listens at the URL of its app. */
async function readFileCommand(
  apps: readonly SelectedApp[],
  folder: string,
  io: CliContext,
): Promise<readonly string[]> {
  const app = apps.find(({ command }) => command !== undefined)
  if (app?.command === undefined) return []
  const isNeeded = await needsServer(app, { ...io, cwd: folder })
  io.stderr.write(
    isNeeded
      ? `sidecard dev: starting ${app.command}\n`
      : `sidecard dev: a server listens at ${app.url.origin}, so ${app.command} is not started\n`,
  )
  return isNeeded ? readCommand(app.command, folder) : []
}

/** Adds the IDs of the command line as the first customer. */
function withCustomer(project: Project, ids: ProjectCustomer['ids']): Project {
  if (Object.keys(ids).length === 0) return project
  const customer = { name: 'From the command line', ids, shows: [], place: 'command line' }
  return { ...project, customers: [customer, ...project.customers] }
}

/**
 * Returns the command of `--command`, or the one after `--`. In an npm script,
 * only `--command` works with more options, because npm appends them at the end.
 */
function readCommandFlag(own: readonly string[], { command }: DevFlags): readonly string[] {
  if (command === undefined) return own
  if (own.length > 0) throw usageError('Pass the dev command with --command or after --, not both.')
  if (/["'`$\\|&;<>]/.test(command)) {
    throw usageError('--command is split at spaces, without a shell. For anything else, use --.')
  }
  return command.trim().split(/\s+/)
}
