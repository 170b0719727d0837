import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { Payload } from '../../contract/payload.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { validatePayload } from '../../contract/validate.ts'
import { isRecording } from '../../desk/recording.ts'
import { renderPayload } from '../../render/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliIo } from '../io.ts'
import { runCommand, usageError } from '../run-command.ts'
import { parseWhole } from './check-options.ts'
import { addEndpointOptions, askEndpoint, type EndpointFlags } from './endpoint.ts'

interface RenderFlags extends EndpointFlags {
  readonly width?: string
  readonly timeZone: string
  readonly links?: boolean
  readonly json?: boolean
}

/** What there is to show, or why there is nothing. */
type Source =
  | { readonly payload: Payload }
  | {
      readonly problem: string
      readonly issues: readonly PayloadIssue[]
      readonly exitCode: number
    }

const EXAMPLES = `
Exit codes: 0 shown, 1 not a valid payload, 2 wrong usage,
3 nothing answers.

Examples:
  sidecard render fixtures/answer.json
  sidecard render http://localhost:8787 \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme
  curl -s "$URL" | sidecard render - --json
`

/** Runs `sidecard render`. @returns the exit code */
export async function runRenderCommand(args: readonly string[], io: CliIo): Promise<number> {
  const command = addEndpointOptions(new Command('sidecard render'))
    .description('Show a payload in the terminal as the sidebar would.')
    .argument(
      '<source>',
      'a file with a payload or a recording, the address of an endpoint, or - for the standard input',
    )
    .option('--width <cells>', 'the width of the sidebar', '44')
    .option('--time-zone <zone>', 'the zone of the reader, such as Europe/Amsterdam', 'UTC')
    .option('--links', 'make links clickable')
    .option('--json', 'print the rendering, what was cut, and every issue as JSON')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, async (source: string, flags: RenderFlags) => {
    const options = {
      width: parseWhole('--width', flags.width ?? '44', 20, 200),
      timeZone: knownZone(flags.timeZone),
      links: flags.links === true,
      color: io.color && flags.json !== true,
    }
    const found = await readSource(source, flags, io)
    if ('problem' in found) return refuse(found, flags, io)
    const { text, truncations } = renderPayload(found.payload, options)
    if (flags.json === true) {
      io.stdout.write(`${JSON.stringify({ ok: true, text, truncations }, null, 2)}\n`)
      return EXIT_CODES.ok
    }
    io.stdout.write(text)
    for (const { path, kind } of truncations) {
      io.stderr.write(`${path}: this ${kind} does not fit and is cut with an ellipsis\n`)
    }
    return EXIT_CODES.ok
  })
}

function refuse(
  { problem, issues, exitCode }: Extract<Source, { problem: string }>,
  flags: RenderFlags,
  io: CliIo,
): number {
  if (flags.json === true) {
    io.stdout.write(`${JSON.stringify({ ok: false, problem, issues }, null, 2)}\n`)
    return exitCode
  }
  io.stderr.write(`sidecard render: ${problem}\n`)
  for (const { path, code, message } of issues) {
    io.stderr.write(`  ${path || '(payload)'}: ${message} (${code})\n`)
  }
  return exitCode
}

async function readSource(source: string, flags: RenderFlags, io: CliIo): Promise<Source> {
  return /^https?:\/\//i.test(source) ? readEndpoint(source, flags, io) : readText(source, io)
}

async function readEndpoint(url: string, flags: RenderFlags, io: CliIo): Promise<Source> {
  const { result, problem = '', failureCode } = await askEndpoint(url, flags, io)
  if (result.outcome === 'rendered') return { payload: result.payload }
  const verdict = validatePayload(result.value, { unknownFields: 'ignore' })
  return {
    problem,
    issues: result.value === undefined || verdict.ok ? [] : verdict.issues,
    exitCode: failureCode,
  }
}

async function readText(source: string, io: CliIo): Promise<Source> {
  const text = source === '-' ? await readAll(io.stdin) : await readFileText(source)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'This is not JSON.', issues: [], exitCode: EXIT_CODES.failed }
  }
  const verdict = validatePayload(isRecording(value) ? value.answer.body : value)
  return verdict.ok
    ? { payload: verdict.payload }
    : {
        problem: 'This is not a valid payload.',
        issues: verdict.issues,
        exitCode: EXIT_CODES.failed,
      }
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

async function readFileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    throw usageError(`The file ${JSON.stringify(path)} cannot be read.`)
  }
}

function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw usageError('--time-zone takes an IANA name, such as Europe/Amsterdam.')
  }
}
