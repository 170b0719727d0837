import { quote } from '../../internal/escape-for-display.ts'
import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import { text } from '../../internal/read-options.ts'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { type AnonymizedRecording, anonymize } from '../../service/anonymize/anonymize.ts'
import type { Replaced } from '../../service/anonymize/placeholders.ts'
import { isJsonObject } from '../../service/json-object.ts'
import { createRecording, isRecording, type Recording } from '../../service/recording.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { listOption } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, saveFile } from '../output-file.ts'
import { runCommand, usageError } from '../run-command.ts'
import {
  addEndpointOptions,
  type EndpointFlags,
  type EndpointResult,
  fetchFromEndpoint,
} from './endpoint.ts'

interface RecordFlags extends EndpointFlags {
  readonly output: string
  readonly replace?: readonly string[]
  readonly keep?: readonly string[]
  readonly allowFailures?: boolean
  readonly json?: boolean
}

const EXAMPLES = `
Email addresses, IDs, phone numbers and names, even in
titles, are replaced by placeholders. The same value always
gets the same placeholder. Values of headers are never
saved. Review the file before you commit it: names in
sentences are not recognized.

Exit codes: 0 saved, 1 not saved (the endpoint reports a
failure, or the response is not a valid payload), 2 invalid
usage, 3 endpoint unreachable.

Examples:
  sidecard record http://localhost:8787 --output acme.json
  sidecard record https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --output fixtures/acme.json
  sidecard record http://localhost:8787 --output - \\
    --replace 'Project Falcon' --keep Enterprise
`

/** Runs `sidecard record`. @returns the exit code */
export async function runRecordCommand(args: readonly string[], io: CliContext): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard record'))
    .description('Save a response as an anonymized test fixture.')
    .argument('<url>', 'the URL of the endpoint')
    .requiredOption('--output <file>', 'the file to write, or - for standard output')
    .addOption(listOption('--replace <text>', 'additional text to replace', text))
    .addOption(listOption('--keep <text>', 'text to keep even if it looks personal', text))
    .option('--allow-failures', 'also save failures and invalid payloads')
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, (url: string, flags: RecordFlags) => record(url, flags, io))
}

async function record(url: string, flags: RecordFlags, io: CliContext): Promise<number> {
  const { output } = flags
  if (output === '-' && flags.json === true) {
    throw usageError('--json and --output - both write to standard output. Use only one.')
  }
  const path = resolve(io.cwd, output)
  if (output !== '-') {
    await assertMayWrite(path, 'a recording', (content) => isRecording(parseObject(content)))
  }
  const fetched = await fetchFromEndpoint(url, flags, io)
  const { problem, failureCode } = fetched
  const isAllowed = problem === undefined || flags.allowFailures === true
  const made = recordExchange(fetched, flags)
  if (made === undefined || !isAllowed) {
    const hint = made === undefined ? '' : ' To save it anyway, use --allow-failures.'
    const nothing = { exitCode: failureCode, file: null, replaced: null, kept: [] }
    return report({ ...nothing, problem, hint }, flags, io)
  }
  const content = `${JSON.stringify(made.recording, null, 2)}\n`
  if (output === '-') io.stdout.write(content)
  else await saveFile(path, content)
  const { replaced, kept } = made
  return report({ exitCode: EXIT_CODES.ok, file: output, replaced, kept, problem }, flags, io)
}

/** Deeper than any payload, and far below the depth at which recursion fails. */
const MAX_DEPTH = 100

/** Creates the recording of a complete response with a JSON object. */
function recordExchange(
  { client, ids, result }: EndpointResult,
  { replace = [], keep = [] }: RecordFlags,
): (Pick<AnonymizedRecording, 'replaced' | 'kept'> & { recording: Recording }) | undefined {
  const { request, response, failure } = result.exchange
  const json = failure === undefined ? parseObject(response?.text) : undefined
  if (response === undefined || json === undefined) return undefined
  const { redact } = client
  const { params, body, replaced, kept } = anonymize(
    { params: ids, body: json },
    { replace, keep, redact },
  )
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
  readonly replaced: Replaced | null
  readonly kept: readonly string[]
  readonly problem: string | undefined
  readonly hint?: string
}

function report(outcome: Outcome, flags: RecordFlags, io: CliContext): number {
  const { exitCode, file, replaced, kept, problem, hint = '' } = outcome
  if (flags.json === true) {
    const ok = exitCode === EXIT_CODES.ok
    io.stdout.write(
      `${JSON.stringify({ ok, file, replaced, kept, problem: problem ?? null }, null, 2)}\n`,
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
    `${file === '-' ? '' : `Saved ${file}. `}Replaced ${formatCounts(replaced)}.${formatKept(kept)}\nReview the file before you commit it. Use --replace 'Jane' for names that were missed.\n`,
  )
  return exitCode
}

/** Lists the titles that were kept, in which a name would remain. */
function formatKept(kept: readonly string[]): string {
  if (kept.length === 0) return ''
  const titles = new Intl.ListFormat('en').format(kept.map((title) => quote(title)))
  return ` Kept the ${kept.length === 1 ? 'title' : 'titles'} ${titles}.`
}

/** Formats counts as “2 emails, 5 IDs, and 1 name”. */
function formatCounts(replaced: Replaced): string {
  const parts = Object.entries(replaced)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${LABELS[kind as keyof Replaced][count === 1 ? 0 : 1]}`)
  return new Intl.ListFormat('en').format(parts) || 'nothing'
}

const LABELS: Readonly<Record<keyof Replaced, readonly [one: string, several: string]>> = {
  emails: ['email', 'emails'],
  ids: ['ID', 'IDs'],
  names: ['name', 'names'],
  phones: ['phone number', 'phone numbers'],
}
