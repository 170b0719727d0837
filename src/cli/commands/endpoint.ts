import type { Command, Option } from 'commander'
import { CHECK_KINDS } from '../../check/options.ts'
import { string } from '../../internal/read-options.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import {
  createEndpointClient,
  type EndpointClient,
  type FetchDataResult,
} from '../../service/endpoint-client.ts'
import { describeFailure, type EndpointFailure } from '../../service/endpoint-failures.ts'
import { ENDPOINT_KINDS } from '../../service/endpoint-options.ts'
import { DEFAULT_IDS } from '../../service/test-service.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { listOption, numberOption } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { parseHeaders, parseParameters } from './endpoint-flags.ts'

/** The options of every command that calls an endpoint. */
export interface EndpointFlags {
  readonly header?: readonly string[]
  readonly param?: readonly string[]
  readonly timeout: number
}

/** Adds the options of {@link EndpointFlags} to a command. */
export function addEndpointOptions(command: Command): Command {
  return command
    .addOption(
      listOption(
        '-H, --header <name: value>',
        'a custom header; env:NAME as the value reads the environment, .env or .dev.vars',
        string,
      ),
    )
    .addOption(
      listOption(
        '--param <name=value>',
        'an ID the endpoint knows, such as account_id=acme; env:NAME as the value, as in a header',
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

/** The latency budget of the commands that run a check. */
export function maxP95Option(description: string): Option {
  return numberOption('--max-p95 <ms>', description, CHECK_KINDS.maxP95Ms)
}

/** The result of one data fetch, performed as by the service. */
export interface EndpointResult {
  readonly client: EndpointClient
  readonly ids: FetchDataIds
  readonly result: FetchDataResult
  /** The problem and its fix in one line; `undefined` if there was no error and no failure. */
  readonly problem: string | undefined
  /** The exit code if the command cannot continue. */
  readonly failureCode: number
}

/**
 * Fetches the data of a widget from an endpoint.
 *
 * @throws {SidecardError} `usage`, `invalid_target` or `invalid_header`
 */
export async function fetchFromEndpoint(
  url: string,
  flags: EndpointFlags,
  io: CliContext,
): Promise<EndpointResult> {
  const client = createEndpointClient({
    target: url,
    headers: parseHeaders(flags.header ?? [], io),
    timeoutMs: flags.timeout,
    fetch: createTransport(io.env).fetch,
    // Errors behind failures are only requested from a developer's own machine.
    dev: isLoopback(URL.parse(url)?.hostname ?? ''),
  })
  const ids = { ...DEFAULT_IDS, ...parseParameters(flags.param ?? [], io) }
  const result = await client.fetchData(ids)
  const failureCode = result.outcome === 'unreachable' ? EXIT_CODES.unreachable : EXIT_CODES.failed
  const { message, fix } = result
  // The message of an invalid payload contains the fix.
  const problem = message.includes(fix) ? message : `${message.replace(/\.$/, '')}. ${fix}`
  const hasProblem = result.payload === undefined || result.outcome === 'failed'
  return { client, ids, result, problem: hasProblem ? problem : undefined, failureCode }
}

/** Formats a failure that the endpoint reports, with its place in the payload. */
export function formatFailure(failure: EndpointFailure): string {
  const { component } = failure
  const place = component === undefined ? '' : `components[${component}]: `
  return place + describeFailure(failure)
}
