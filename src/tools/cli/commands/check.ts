import { Option } from 'commander'
import { CHECK_KINDS } from '../../check/options.ts'
import { REPORTERS } from '../../check/report/reporters/index.ts'
import { oneOf, string, withDefault } from '../../../runtime/internal/read-options.ts'
import { createCommand, listOption, namesOption, option } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { runCommand } from '../run-command.ts'
import type { CheckFlags } from './check-apps.ts'
import {
  CUSTOMER_OPTIONS,
  ENVIRONMENT_OPTION,
  HEADER_OPTIONS,
  UNKNOWN_OPTION,
} from './endpoint-options.ts'

const EXAMPLES = `
The next customer starts with a --param whose name is
repeated, or that follows --shows.
With --profile production, no malformed requests are sent.

Exit codes: 0 conforms, 1 rule failures or
not proven, 2 invalid usage, 3 endpoint unreachable,
70 internal error.

In a project with sidecard.json, the command checks all apps
as every customer, and starts the command of an app if
nothing listens at its URL.

Examples:
  sidecard check
  sidecard check billing --env production
  sidecard check https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --shows 'Acme Ltd' \\
    --param account_id=globex --shows 'Globex Corporation'
  sidecard check --explain response-redirect
`

const OPTIONS = [
  ...HEADER_OPTIONS,
  ...CUSTOMER_OPTIONS,
  UNKNOWN_OPTION,
  ENVIRONMENT_OPTION,
  option(
    '--samples <count>',
    'number of handshakes and data fetches to send, 1 to 50',
    CHECK_KINDS.samples,
  ),
  option(
    '--isolation-samples <count>',
    'data fetches for each passed customer, 2 to 1000',
    CHECK_KINDS.isolationSamples,
  ),
  option(
    '--latency-samples <count>',
    'additional handshakes and data fetches to measure, at most 1000',
    CHECK_KINDS.latencySamples,
  ),
  option(
    '--max-p95 <ms>',
    'fail if the 95th percentile of the response times exceeds this',
    CHECK_KINDS.maxP95Ms,
  ),
  option(
    '--max-wait <ms>',
    'total time to wait for a rate limit, in milliseconds, at most 600000',
    CHECK_KINDS.maxWaitMs,
  ),
  option(
    '--profile <name>',
    'which requests to send: full or production',
    withDefault(oneOf('full', 'production'), CHECK_KINDS.profile.fallback),
  ),
  new Option('--expect-auth', 'fail if an unauthenticated request is accepted'),
  new Option('--no-expect-auth', 'report authentication findings as warnings only'),
  namesOption('--only <rules>', 'run only these rules or groups'),
  namesOption('--skip <rules>', 'skip these rules or groups'),
  new Option('--strict', 'treat warnings as failures'),
  new Option('--allow-unproven', 'accept a run in which something was not proven'),
  new Option(
    '--baseline <file>',
    'JSON array of known failures; an entry that passes fails the run',
  ),
  listOption(
    '--reporter <format[=file]>',
    `report format: ${REPORTERS.join(', ')} (repeatable; default human)`,
    string,
  ),
  new Option('--json', 'the same as --reporter json'),
  new Option('--output <file>', 'write the report to a file'),
  new Option('--details', 'add the payload and every request to the JSON report'),
  new Option('--list', 'list every rule'),
  new Option('--explain <rule>', 'explain a rule'),
]

/** Runs `sidecard check` with the arguments that follow the word `check`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('check', OPTIONS, EXAMPLES)
    .description('Check an endpoint, in any language, against the contract.')
    .argument(
      '[app]',
      'an app of sidecard.json, or a URL (default: all apps; without a file, http://127.0.0.1 and PORT or 8787)',
    )
  return runCommand(command, args, io, async (target: string | undefined, flags: CheckFlags) => {
    // The checker is loaded here, because `--help` does not need it.
    const { checkApps } = await import('./check-apps.ts')
    return checkApps(target, flags, io)
  })
}
