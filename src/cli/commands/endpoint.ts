import type { Command, Option } from 'commander'
import { record, string, text } from '../../internal/read-options.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import type { ProjectCustomer, ProjectState } from '../../project/index.ts'
import {
  createEndpointClient,
  type EndpointClient,
  type DataFetchResult,
} from '../../service/endpoint-client.ts'
import { describeFailure, type EndpointFailure } from '../../service/endpoint-failures.ts'
import { ENDPOINT_KINDS } from '../../service/endpoint-options.ts'
import { DEFAULT_IDS } from '../../service/test-service.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { findUnappliedCondition } from '../../service/section-conditions.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { findNamed, listOption, numberOption, option } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { describeApp, readAppHeaders } from '../project/app-headers.ts'
import { describeEntry, findProject, type FoundProject } from '../project/find-project.ts'
import { type SelectedApp, selectApps } from '../project/select-apps.ts'
import { usageError } from '../run-command.ts'
import { type CustomerFlag, parseParameters } from './endpoint-flags.ts'

/** The options of every command that calls an endpoint. */
interface HeaderFlags {
  readonly header?: readonly string[]
  readonly timeout: number
}

/** The options of a command that calls an endpoint for one customer. */
export interface EndpointFlags extends HeaderFlags {
  readonly param?: readonly string[]
  /** The name of a customer or a state of the project. */
  readonly as?: string
  /** The name of an environment of the app. */
  readonly env?: string
}

/** The options of a command that calls an endpoint for several customers. */
export interface CustomerFlags extends HeaderFlags {
  /** The values of `--param` and `--shows`, in their order. */
  readonly customer?: readonly CustomerFlag[]
}

const PARAM = [
  '--param <name=value>',
  'an ID the endpoint knows, such as account_id=acme; env:NAME as the value, as in a header',
] as const

/** Creates the option that selects an environment of the project's apps. */
export function environmentOption(): Option {
  return option(
    '--env <name>',
    'an environment of the app in sidecard.json, such as production',
    text,
  )
}

/** Adds the options of {@link EndpointFlags} to a command. */
export function addEndpointOptions(command: Command): Command {
  return addHeaderOptions(command)
    .addOption(listOption(...PARAM, string))
    .addOption(
      option(
        '--as <name>',
        'a customer or a state of sidecard.json (default: the first customer)',
        text,
      ),
    )
    .addOption(environmentOption())
}

/** Adds the options of {@link CustomerFlags} to a command, without those for headers. */
export function addCustomerOptions(command: Command): Command {
  const flag = (name: CustomerFlag['flag'], flags: string, description: string) => {
    const created = listOption(flags, description, record, (value): CustomerFlag => ({
      flag: name,
      text: value,
    }))
    // Both options fill one list, because their order says which text belongs to which customer.
    created.attributeName = () => 'customer'
    return created
  }
  return command
    .addOption(flag('param', ...PARAM))
    .addOption(
      flag(
        'shows',
        '--shows <text>',
        'a text that the sidebar of this customer shows, and that of no other one; env:NAME as the value',
      ),
    )
}

/** Adds the options of {@link HeaderFlags} to a command. */
export function addHeaderOptions(command: Command): Command {
  return command
    .addOption(
      listOption(
        '-H, --header <name: value>',
        'a custom header; env:NAME as the value reads the environment, .env or .dev.vars',
        string,
      ),
    )
    .addOption(
      numberOption(
        '--timeout <ms>',
        'timeout per response, in milliseconds',
        ENDPOINT_KINDS.timeoutMs,
      ),
    )
}

/** The result of one data fetch, performed as by the service. */
export interface EndpointResult {
  readonly client: EndpointClient
  readonly ids: FetchDataIds
  readonly result: DataFetchResult
  /** The problem and its fix in one line; `undefined` if there was no error and no failure. */
  readonly problem: string | undefined
  /** The exit code if the command cannot continue. */
  readonly failureCode: number
}

/**
 * Fetches the data of a widget from an endpoint: a URL, an app of the project, or
 * the only app.
 *
 * @param readIds reads `--param`
 * @throws {SidecardError} `usage`, `invalid_target` or `invalid_header`
 */
export async function fetchFromEndpoint(
  command: string,
  target: string | undefined,
  flags: EndpointFlags,
  io: CliContext,
  readIds: typeof parseParameters = parseParameters,
): Promise<EndpointResult> {
  const project = findProject(io.cwd)
  const [app, ...others] = selectApps(project, { target, environment: flags.env }, io)
  if (app === undefined || others.length > 0) {
    throw usageError(`The project has several apps. Name one: sidecard ${command} ${app?.name}`)
  }
  const secrets = { folder: project.folder, env: io.env }
  const { ids, sections, name } = selectIds(project, app, flags, io, readIds)
  const client = createEndpointClient({
    target: app.url,
    headers: readAppHeaders(app, flags.header ?? [], secrets),
    timeoutMs: flags.timeout,
    fetch: createTransport(io.env).fetch,
    // Errors behind failures are only requested from a developer's own machine.
    dev: isLoopback(app.url.hostname),
  })
  if (app.name !== undefined) {
    const as = name === undefined ? '' : ` as ${name}`
    io.stderr.write(`sidecard ${command}: ${describeApp(app, secrets)}${as}\n`)
  }
  const allIds = { ...DEFAULT_IDS, ...ids }
  const result = await client.fetchData(allIds, sections)
  const failureCode = result.outcome === 'unreachable' ? EXIT_CODES.unreachable : EXIT_CODES.failed
  const { message, fix } = result
  // The message of an invalid payload contains the fix.
  const failure = message.includes(fix) ? message : `${message.replace(/\.$/, '')}. ${fix}`
  const hasProblem = result.payload === undefined || result.outcome === 'failed'
  const unapplied = findUnappliedCondition(sections, result.exchange)
  const problem = hasProblem ? failure : unapplied
  return { client, ids: allIds, result, problem, failureCode }
}

/** Returns the IDs of the flags, or else of a customer or a state of the project. */
function selectIds(
  { states, folder }: FoundProject,
  app: SelectedApp,
  { param, as }: EndpointFlags,
  { env }: CliContext,
  readIds: typeof parseParameters,
) {
  if (param !== undefined && as !== undefined) {
    throw usageError('--as and --param both say which IDs are sent. Use only one.')
  }
  if (param !== undefined) {
    return { ids: readIds(param, { cwd: folder, env }), sections: {}, name: undefined }
  }
  const entries: ReadonlyArray<ProjectCustomer | ProjectState> = [...app.customers, ...states]
  const entry = as === undefined ? app.customers[0] : findNamed('customer or state', as, entries)
  if (entry === undefined) return { ids: {}, sections: {}, name: undefined }
  const sections = 'sections' in entry ? entry.sections : {}
  return { ids: entry.ids, sections, name: describeEntry(entry) }
}

/** Formats a failure that the endpoint reports, with its place in the payload. */
export function formatFailure(failure: EndpointFailure): string {
  const { component } = failure
  const place = component === undefined ? '' : `components[${component}]: `
  return place + describeFailure(failure)
}
