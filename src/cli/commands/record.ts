import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { isRecording, type Recording, RECORDING_FORMAT } from '../../desk/recording.ts'
import { mediaType } from '../../desk/media-type.ts'
import { isJsonObject } from '../../desk/rules/payload-walk.ts'
import { collect } from '../collect.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliIo } from '../io.ts'
import { anonymise } from '../record/anonymise.ts'
import type { Replaced } from '../record/pseudonyms.ts'
import { runCommand, usageError } from '../run-command.ts'
import {
  addEndpointOptions,
  type AskedEndpoint,
  askEndpoint,
  type EndpointFlags,
} from './endpoint.ts'

interface RecordFlags extends EndpointFlags {
  readonly out: string
  readonly replace?: readonly string[]
  readonly keep?: readonly string[]
  readonly json?: boolean
}

const EXAMPLES = `
E-mail addresses, ids, telephone numbers and names become
stand-ins, the same value the same one everywhere. Values
of headers are never saved. Read the file before you commit
it: a name in a sentence looks like any other word.

Exit codes: 0 saved, 1 no JSON came and nothing is saved,
or it is saved and is not a valid payload, 2 wrong usage,
3 nothing answers.

Examples:
  sidecard record http://localhost:8787 --out acme.json
  sidecard record https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --out fixtures/acme.json
  sidecard record http://localhost:8787 --out - \\
    --replace 'Project Falcon' --keep Enterprise
`

/** Runs `sidecard record`. @returns the exit code */
export async function runRecordCommand(args: readonly string[], io: CliIo): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard record'))
    .description('Save an answer of an endpoint as a fixture, without what is personal in it.')
    .argument('<url>', 'the address of the endpoint')
    .requiredOption('--out <file>', 'the file to write, or - for the standard output')
    .option('--replace <text>', 'a text to replace that nothing gives away', collect)
    .option('--keep <text>', 'a text to keep that looks personal and is not', collect)
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, (url: string, flags: RecordFlags) => perform(url, flags, io))
}

async function perform(url: string, flags: RecordFlags, io: CliIo): Promise<number> {
  const { out } = flags
  if (out === '-' && flags.json === true) {
    throw usageError('--json and --out - both want the standard output: give one of them.')
  }
  if ([...(flags.replace ?? []), ...(flags.keep ?? [])].includes('')) {
    throw usageError('--replace and --keep take a text that is not empty.')
  }
  const path = resolve(io.cwd, out)
  if (out !== '-') await assertMayWrite(path)
  const asked = await askEndpoint(url, flags, io)
  const { problem, failureCode } = asked
  const made = recordingOf(asked, flags)
  if (made === undefined) {
    return report({ exitCode: failureCode, file: null, replaced: null, problem }, flags, io)
  }
  const text = `${JSON.stringify(made.recording, null, 2)}\n`
  if (out === '-') io.stdout.write(text)
  else await save(path, text)
  const exitCode = problem === undefined ? EXIT_CODES.ok : EXIT_CODES.failed
  return report({ exitCode, file: out, replaced: made.replaced, problem }, flags, io)
}

/** Deeper than any payload, and far from the depth where recursion fails. */
const MAX_DEPTH = 100

/** The recording, or `undefined` when no whole JSON object came that can be walked. */
function recordingOf(
  { caller, ids, result }: AskedEndpoint,
  { replace = [], keep = [] }: RecordFlags,
): { recording: Recording; replaced: Replaced } | undefined {
  const { request, response, failure } = result.exchange
  const answer = failure === undefined ? jsonOf(response?.text) : undefined
  if (response === undefined || answer === undefined) return undefined
  const { redact } = caller
  const { params, body, replaced } = anonymise(
    { params: ids, body: answer },
    { replace, keep, redact },
  )
  const contentType = mediaType(response.headers['content-type'])
  const recording: Recording = {
    recording: RECORDING_FORMAT,
    request: { params, headerNames: request.headerNames },
    answer: { status: response.status, ...(contentType !== undefined && { contentType }), body },
  }
  return { recording, replaced }
}

function jsonOf(text: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(text?.replace(/^\uFEFF/, '') ?? '')
    return isJsonObject(value) && !isDeep(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : [],
    )
  }
  return false
}

/** A new file, or a recording that is made again: never over anything else. */
async function assertMayWrite(path: string): Promise<void> {
  let old: string
  try {
    old = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw usageError(`${JSON.stringify(path)} cannot be written: give --out the name of a file.`)
  }
  if (!isRecording(jsonOf(old))) {
    throw usageError(
      `${JSON.stringify(path)} is there already and is no recording: give --out another name.`,
    )
  }
}

async function save(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch {
    throw usageError(`${JSON.stringify(path)} cannot be written.`)
  }
}

interface Outcome {
  readonly exitCode: number
  readonly file: string | null
  readonly replaced: Replaced | null
  readonly problem: string | undefined
}

function report(outcome: Outcome, flags: RecordFlags, io: CliIo): number {
  const { exitCode, file, replaced, problem } = outcome
  if (flags.json === true) {
    const ok = exitCode === EXIT_CODES.ok
    io.stdout.write(
      `${JSON.stringify({ ok, file, replaced, problem: problem ?? null }, null, 2)}\n`,
    )
    return exitCode
  }
  if (file === null || replaced === null) {
    io.stderr.write(`sidecard record: ${problem ?? ''}\nNothing is saved.\n`)
    return exitCode
  }
  if (problem !== undefined) io.stderr.write(`sidecard record: saved, but: ${problem}\n`)
  // Not on the standard output, which may be the recording.
  io.stderr.write(
    `${file === '-' ? '' : `Saved ${file}. `}Replaced ${counted(replaced)}.\nRead it before you commit it: --replace 'Jane' adds what was missed.\n`,
  )
  return exitCode
}

/** “2 emails, 5 ids and 1 name”. */
function counted(replaced: Replaced): string {
  const parts = Object.entries(replaced)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`)
  return new Intl.ListFormat('en').format(parts) || 'nothing'
}
