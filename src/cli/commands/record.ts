import { quote } from '../../internal/escape-for-display.ts'
import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import { text } from '../../internal/read-options.ts'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { isJsonObject } from '../../service/json-object.ts'
import { type Shape, toShape } from '../../service/shape.ts'
import { DEFAULT_IDS } from '../../service/test-service.ts'
import { createRecording, isRecording, type Recording } from '../../service/recording.ts'
import { watchAssumptions } from '../assumptions/watch-assumptions.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { listOption } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, saveFile } from '../output-file.ts'
import { runCommand, usageError } from '../run-command.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { parseCustomers } from './endpoint-flags.ts'
import { type EndpointResult, fetchFromEndpoint } from './endpoint.ts'
import { addEndpointOptions, type EndpointFlags } from './endpoint-options.ts'

interface RecordFlags extends EndpointFlags {
  readonly output: string
  readonly keep?: readonly string[]
  readonly allowFailures?: boolean
  readonly json?: boolean
}

const EXAMPLES = `
Every text is replaced by one of the same form, and the
same text by the same. Dates move by one constant. Numbers,
colors and the texts of --keep stay, and so do labels. A
name that --param repeats starts another customer, who is
not saved: only labels that all customers share stay.
Values of headers are never saved.

Exit codes: 0 saved, 1 not saved (the endpoint reports a
failure, or the response is not a valid payload), 2 invalid
usage, 3 endpoint unreachable.

Examples:
  sidecard record --as 'Orders failed' --output failed.json
  sidecard record http://localhost:8787 --output acme.json
  sidecard record https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --output fixtures/acme.json
  sidecard record http://localhost:8787 --output - \\
    --param account_id=acme --param account_id=globex \\
    --keep Enterprise --keep Pro
`

/** Runs `sidecard record`. @returns the exit code */
export async function runRecordCommand(args: readonly string[], io: CliContext): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard record'))
    .description('Save the shape of a response as a test fixture, without personal data.')
    .argument('[app]', 'an app of sidecard.json, or the URL of an endpoint (default: the only app)')
    .requiredOption('--output <file>', 'the file to write, or - for standard output')
    .addOption(listOption('--keep <text>', 'a text to keep', text))
    .option('--allow-failures', 'also save failures and invalid payloads')
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, (target: string | undefined, flags: RecordFlags) =>
    record(target, flags, io),
  )
}

async function record(
  target: string | undefined,
  flags: RecordFlags,
  io: CliContext,
): Promise<number> {
  const { output } = flags
  if (output === '-' && flags.json === true) {
    throw usageError('--json and --output - both write to standard output. Use only one.')
  }
  const path = resolve(io.cwd, output)
  if (output !== '-') {
    await assertMayWrite(path, 'a recording', (content) => isRecording(parseObject(content)))
  }
  const [, ...others] = readCustomers(flags.param ?? [], io)
  const fetched = await fetchFromEndpoint('record', target, flags, io, (pairs, context) => {
    return readCustomers(pairs, context)[0]?.ids ?? {}
  })
  const { problem, failureCode } = fetched
  const isAllowed = problem === undefined || flags.allowFailures === true
  const made = isAllowed
    ? recordExchange(fetched, flags, await fetchOthers(fetched, others))
    : undefined
  if (made === undefined) {
    const isSaveable = recordExchange(fetched, flags, []) !== undefined
    const hint = isSaveable ? ' To save it anyway, use --allow-failures.' : ''
    const nothing = { exitCode: failureCode, file: null, replaced: null, kept: [] }
    return report({ ...nothing, problem, hint }, flags, io)
  }
  const content = `${JSON.stringify(made.recording, null, 2)}\n`
  if (output === '-') io.stdout.write(content)
  else await saveFile(path, content)
  const { replaced, kept } = made
  const assumptions = decideAssumptions(fetched)
  const saved = { exitCode: EXIT_CODES.ok, file: output, replaced, kept, problem, assumptions }
  return report(saved, flags, io)
}

/** Reads the IDs of one or several customers. */
function readCustomers(pairs: readonly string[], io: Pick<CliContext, 'cwd' | 'env'>) {
  return parseCustomers(
    pairs.map((text) => ({ flag: 'param' as const, text })),
    io,
  )
}

/** Decides the assumptions about payloads. The request was Sidecard's own. */
function decideAssumptions({ result: { exchange } }: EndpointResult) {
  const lines: string[] = []
  const url = new URL(exchange.request.url)
  const watched = watchAssumptions(url.searchParams, (line) => lines.push(line))
  const { status, text = '' } = exchange.response ?? {}
  watched.see({
    sender: 'sidecard',
    method: 'GET',
    url,
    isForEndpoint: true,
    headerNames: [],
    startedAt: 0,
    durationMs: exchange.durationMs,
    status,
    bytes: Buffer.byteLength(text),
    body: parseObject(text),
  })
  return { ...watched.summary(), lines: [...lines, watched.formatSummary() ?? ''] }
}

/** Deeper than any payload, and far below the depth at which recursion fails. */
const MAX_DEPTH = 100

/**
 * Fetches the data of the other customers, for their labels.
 *
 * @throws {SidecardError} `usage` for a customer without data, who says nothing about labels.
 */
async function fetchOthers(
  { client }: EndpointResult,
  customers: ReadonlyArray<{ readonly ids: FetchDataIds }>,
): Promise<readonly unknown[]> {
  const results = await Promise.all(
    customers.map(({ ids }) => client.fetchData({ ...DEFAULT_IDS, ...ids })),
  )
  return results.map(({ outcome, payload }, index) => {
    if (outcome === 'rendered') return payload
    throw usageError(`Customer ${index + 2} of --param has no data. Pass the IDs of another one.`)
  })
}

/** Creates the recording of a complete response with a JSON object. */
function recordExchange(
  { client, ids, result }: EndpointResult,
  { keep = [] }: RecordFlags,
  others: readonly unknown[],
): (Pick<Shape, 'replaced' | 'kept'> & { recording: Recording }) | undefined {
  const { request, response, failure } = result.exchange
  const json = failure === undefined ? parseObject(response?.text) : undefined
  if (response === undefined || json === undefined) return undefined
  const { redact } = client
  const shape = toShape({ params: ids, body: json }, { keep, others, redact })
  const { params, body, replaced, kept } = shape
  return { recording: createRecording(params, request, response, body), replaced, kept }
}

function parseObject(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text?.replace(/^\uFEFF/, '') ?? '')
    return isJsonObject(value) && !isDeeperThan(MAX_DEPTH, value) ? value : undefined
  } catch {
    return undefined
  }
}

interface Outcome {
  readonly exitCode: number
  readonly file: string | null
  readonly replaced: number | null
  readonly kept: readonly string[]
  readonly problem: string | undefined
  readonly assumptions?: ReturnType<typeof decideAssumptions>
  readonly hint?: string
}

function report(outcome: Outcome, flags: RecordFlags, io: CliContext): number {
  const { exitCode, file, replaced, kept, problem, assumptions, hint = '' } = outcome
  if (flags.json === true) {
    const ok = exitCode === EXIT_CODES.ok
    io.stdout.write(
      `${JSON.stringify({ ok, file, replaced, kept, problem: problem ?? null, assumptions }, null, 2)}\n`,
    )
    return exitCode
  }
  if (file === null || replaced === null) {
    io.stderr.write(
      `sidecard record: ${problem ?? 'the response is not a JSON object'}\nNothing was saved.${hint}\n`,
    )
    return exitCode
  }
  if (problem !== undefined) io.stderr.write(`sidecard record: saved, but: ${problem}\n`)
  // The summary is not on standard output, which may be the recording.
  io.stderr.write(
    `${file === '-' ? '' : `Saved ${file}. `}Replaced ${replaced} ${replaced === 1 ? 'text' : 'texts'}.${formatKept(kept)}\n`,
  )
  for (const line of assumptions?.lines ?? []) io.stderr.write(`sidecard record: ${line}\n`)
  return exitCode
}

/** Lists the texts that were kept, one of which may be personal. */
function formatKept(kept: readonly string[]): string {
  if (kept.length === 0) return ''
  const texts = new Intl.ListFormat('en').format(kept.map((each) => quote(each)))
  return ` Kept ${texts}. Review them before you commit the file.`
}
