import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import type { Payload } from '../../contract/payload.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { validatePayload } from '../../contract/validate.ts'
import { createCaller } from '../../desk/caller.ts'
import { DEFAULT_IDS } from '../../desk/desk.ts'
import { renderPayload } from '../../render/index.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliIo } from '../io.ts'
import { runCommand, usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { parseHeaders, parseParameters, parseWhole } from './check-options.ts'

interface RenderFlags {
  readonly header?: readonly string[]
  readonly param?: readonly string[]
  readonly timeout: string
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
Examples:
  sidecard render fixtures/answer.json
  sidecard render http://localhost:8787 --param account_id=acc_1 -H 'x-sidecard-secret: env:SIDECARD_SECRET'
  curl -s "$URL" | sidecard render - --json

Exit codes: 0 shown, 1 not a valid payload, 2 wrong usage, 3 nothing answers.
`

/** Runs `sidecard render`. @returns the exit code */
export async function runRenderCommand(args: readonly string[], io: CliIo): Promise<number> {
  const collect = (value: string, previous: readonly string[] = []) => [...previous, value]
  const command = new Command('sidecard render')
    .description('Show a payload in the terminal as the sidebar would.')
    .argument('<source>', 'a file, the address of an endpoint, or - for the standard input')
    .option(
      '-H, --header <name: value>',
      'a custom header for an endpoint; env:NAME reads the environment',
      collect,
    )
    .option('--param <name=value>', 'an id of the issue, such as account_id=…', collect)
    .option('--timeout <ms>', 'how long an endpoint may take', '5000')
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
  return /^https?:\/\//i.test(source) ? askEndpoint(source, flags, io) : readText(source, io)
}

async function askEndpoint(url: string, flags: RenderFlags, io: CliIo): Promise<Source> {
  const caller = createCaller({
    target: url,
    headers: parseHeaders(flags.header ?? [], io.env),
    timeoutMs: parseWhole('--timeout', flags.timeout, 1, 600_000),
    fetch: createTransport({ publicOnly: false }).fetch,
  })
  const result = await caller.fetchData({ ...DEFAULT_IDS, ...parseParameters(flags.param ?? []) })
  if (result.outcome === 'rendered') return { payload: result.payload }
  const verdict = validatePayload(result.value, { unknownFields: 'ignore' })
  const unreachable = result.exchange.response === undefined && result.outcome !== 'timeout'
  return {
    problem: `${result.message} ${result.remedy}`,
    issues: result.value === undefined || verdict.ok ? [] : verdict.issues,
    exitCode: unreachable ? EXIT_CODES.unreachable : EXIT_CODES.failed,
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
  const verdict = validatePayload(value)
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
