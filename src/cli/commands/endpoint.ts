import type { Command } from 'commander'
import { type Caller, createCaller, type FetchDataResult } from '../../desk/caller.ts'
import { DEFAULT_IDS } from '../../desk/desk.ts'
import type { FetchDataIds } from '../../desk/query.ts'
import { collect } from '../collect.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliIo } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { parseHeaders, parseParameters, parseWhole } from './check-options.ts'

/** How an endpoint is asked, on every command that asks one. */
export interface EndpointFlags {
  readonly header?: readonly string[]
  readonly param?: readonly string[]
  readonly timeout: string
}

/** Adds the options of {@link EndpointFlags} to a command. */
export function addEndpointOptions(command: Command): Command {
  return command
    .option(
      '-H, --header <name: value>',
      'a custom header; env:NAME as the value reads the environment, .env or .dev.vars',
      collect,
    )
    .option(
      '--param <name=value>',
      'an id of a customer that the endpoint knows, such as account_id=…',
      collect,
    )
    .option('--timeout <ms>', 'for each whole answer', '5000')
}

/** One data fetch, as the service does it. */
export interface AskedEndpoint {
  readonly caller: Caller
  readonly ids: FetchDataIds
  readonly result: FetchDataResult
  /** What is wrong and what to do, in one line; `undefined` when the widget is rendered. */
  readonly problem: string | undefined
  /** For an answer that is not rendered. */
  readonly failureCode: number
}

/**
 * Asks an endpoint for the data of an issue.
 *
 * @throws {SidecardError} `usage`, `invalid_target` or `invalid_header`
 */
export async function askEndpoint(
  url: string,
  flags: EndpointFlags,
  io: CliIo,
): Promise<AskedEndpoint> {
  const caller = createCaller({
    target: url,
    headers: parseHeaders(flags.header ?? [], io),
    timeoutMs: parseWhole('--timeout', flags.timeout, 1, 600_000),
    fetch: createTransport({ publicOnly: false }).fetch,
  })
  const ids = { ...DEFAULT_IDS, ...parseParameters(flags.param ?? []) }
  const result = await caller.fetchData(ids)
  const failureCode = result.outcome === 'unreachable' ? EXIT_CODES.unreachable : EXIT_CODES.failed
  const problem =
    result.outcome === 'rendered'
      ? undefined
      : `${result.message.replace(/\.$/, '')}. ${result.remedy}`
  return { caller, ids, result, problem, failureCode }
}
