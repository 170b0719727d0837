import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import type { ProjectCustomer, ProjectState } from '../../project/project.ts'
import {
  createEndpointClient,
  type EndpointClient,
  type DataFetchResult,
} from '../../service/endpoint-client.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import { DEFAULT_IDS } from '../../service/testing/test-service.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import { findUnappliedCondition } from '../../service/testing/section-conditions.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { findNamed } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { describeApp, readAppHeaders } from '../apps/app-headers.ts'
import { describeEntry, findProject, type FoundProject } from '../apps/find-project.ts'
import { type SelectedApp, selectApps } from '../apps/select-apps.ts'
import { needsServer } from '../apps/server-command.ts'
import { usageError } from '../run-command.ts'
import { parseCustomer, parseCustomers } from '../endpoint-flags.ts'
import type { EndpointFlags } from './endpoint-options.ts'

/** The result of one data fetch, sent as the service would send it. */
export interface EndpointResult {
  readonly client: EndpointClient
  readonly ids: FetchDataIds
  /** The IDs of further customers in `--param`, which only `record` accepts. */
  readonly others: readonly FetchDataIds[]
  readonly result: DataFetchResult
  /** The problem and its fix in one line; `undefined` if there was no error and no unexpected failure. */
  readonly problem: string | undefined
  /** The exit code if the command cannot continue. */
  readonly failureCode: number
}

/**
 * Fetches the data of a widget from an endpoint: a URL, an app of the project, or
 * the only app.
 *
 * @throws {SidecardError} `usage`, `invalid_target` or `invalid_header`
 */
export async function fetchFromEndpoint(
  command: 'render' | 'record',
  target: string | undefined,
  flags: EndpointFlags,
  io: CliContext,
): Promise<EndpointResult> {
  const project = findProject(io.cwd)
  const [app, ...more] = selectApps(project, io, target, flags.env)
  if (app === undefined || more.length > 0) {
    throw usageError(`The project has several apps. Name one: sidecard ${command} ${app?.name}`)
  }
  const secrets = { folder: project.folder, env: io.env }
  // A server of a different project is not asked for the data of this project's customers.
  await needsServer(app, { ...io, cwd: project.folder })
  const { entries, sections = {}, name } = selectIds(command, project, app, flags, io)
  const [ids = DEFAULT_IDS, ...others] = entries.map((each) => ({ ...DEFAULT_IDS, ...each }))
  const client = createEndpointClient({
    target: app.url,
    headers: readAppHeaders(app, flags.header ?? [], secrets),
    timeoutMs: flags.timeout,
    fetch: createTransport(io.env).fetch,
    // Only an endpoint on this machine is asked for the errors behind its failures.
    dev: isLoopback(app.url.hostname),
  })
  if (app.name !== undefined) {
    const as = name === undefined ? '' : ` as ${name}`
    io.stderr.write(`sidecard ${command}: ${describeApp(app, secrets)}${as}\n`)
  }
  const result = await client.fetchData(ids, sections)
  const failureCode = result.outcome === 'unreachable' ? EXIT_CODES.unreachable : EXIT_CODES.failed
  const { message, fix } = result
  // The message of an invalid payload already contains the fix.
  const failure = message.includes(fix) ? message : `${message.replace(/\.$/, '')}. ${fix}`
  const hasFailed = result.payload === undefined || result.outcome === 'failed'
  const hasProblem = hasFailed && !isAsIntended(result)
  const unapplied = findUnappliedCondition(sections, result.exchange)
  const problem = hasProblem ? failure : unapplied
  return { client, ids, others, result, problem, failureCode }
}

/** Returns the IDs of the flags or, without them, of a customer or state of the project. */
function selectIds(
  command: string,
  { states, folder }: FoundProject,
  app: SelectedApp,
  { customer, as }: EndpointFlags,
  { env }: CliContext,
): { entries: readonly FetchDataIds[]; sections?: ProjectState['sections']; name?: string } {
  if (customer !== undefined && as !== undefined) {
    throw usageError('--as and --param both say which IDs are sent. Use only one.')
  }
  if (customer !== undefined) {
    const context = { cwd: folder, env }
    if (command !== 'record') return { entries: [parseCustomer(customer, context)] }
    return { entries: parseCustomers(customer, context).map(({ ids }) => ids) }
  }
  const known: ReadonlyArray<ProjectCustomer | ProjectState> = [...app.customers, ...states]
  const entry = as === undefined ? app.customers[0] : findNamed('customer or state', as, known)
  if (entry === undefined) return { entries: [] }
  const sections = 'sections' in entry ? entry.sections : {}
  return { entries: [entry.ids], sections, name: describeEntry(entry) }
}
