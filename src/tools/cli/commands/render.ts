import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Payload } from '../../../runtime/contract/index.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { renderHtml, renderPayload } from '../../../runtime/render/index.ts'
import { describeFailure, type EndpointFailure } from '../../service/endpoint/endpoint-failures.ts'
import { RENDER_KINDS } from '../../service/endpoint/endpoint-options.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand, option } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, saveFile } from '../output-file.ts'
import { printJson, runCommand, usageError } from '../run-command.ts'
import { ENDPOINT_OPTIONS, type EndpointFlags } from './endpoint-options.ts'
import { hasFailed, readRenderSource, type RenderSource } from './render-source.ts'

interface RenderFlags extends EndpointFlags {
  readonly width: number
  readonly timeZone: string
  readonly links?: boolean
  readonly html?: string
  readonly json?: boolean
}

const EXAMPLES = `
Exit codes: 0 rendered, 1 not a valid payload, or the
endpoint reports a failure that no state asks for,
2 invalid usage, 3 endpoint unreachable.

Examples:
  sidecard render
  sidecard render billing --as 'Orders failed'
  sidecard render fixtures/acme.json --html acme.html
  sidecard render http://localhost:8787 \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme
  curl -s "$URL" | sidecard render - --json
`

const OPTIONS = [
  ...ENDPOINT_OPTIONS,
  option('--width <cells>', 'width of the sidebar', RENDER_KINDS.width),
  option('--time-zone <zone>', 'time zone, such as Europe/Amsterdam', RENDER_KINDS.timeZone),
  new Option('--links', 'make links clickable'),
  new Option('--html <file>', 'write one self-contained HTML page, or - for standard output'),
  new Option('--json', 'print the rendering, truncations and validation issues as JSON'),
]

/** Runs `sidecard render`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('render', OPTIONS, EXAMPLES)
    .description('Render a payload in the terminal, or as an HTML page.')
    .argument(
      '[source]',
      'an app of sidecard.json, the URL of an endpoint, a file with a payload or a recording, or - for standard input (default: the only app)',
    )
  return runCommand(command, args, io, async (source: string | undefined, flags: RenderFlags) => {
    await assertOutput(flags, io)
    const found = await readRenderSource(source, flags, io)
    const { payload, note, issues, failures, exitCode } = found
    if (payload === undefined && flags.json === true) {
      printJson({ ok: exitCode === EXIT_CODES.ok, problem: note, issues }, io)
      return exitCode
    }
    if (payload !== undefined) await writeRendering(payload, found, flags, io)
    const described = failures.map((failure) => {
      const place = failure.component === undefined ? '' : `components[${failure.component}]: `
      return place + (failure.intended ? describeIntended(failure) : describeFailure(failure))
    })
    const messages = [note, ...described].filter((message) => message !== '')
    const [first = '', ...others] = messages.map((message) => `sidecard render: ${message}\n`)
    const details = issues.map(
      ({ path, code, message, fix }) => `  ${path || '(payload)'}: ${message}. ${fix} (${code})\n`,
    )
    io.stderr.write([first, ...details, ...others].join(''))
    return exitCode
  })
}

function describeIntended({ kind, section = '' }: EndpointFailure): string {
  const what = kind === 'section_timeout' ? 'timed out' : 'failed'
  return `${escapeForDisplay(section, 80)} ${what} because the state asks for it.`
}

async function assertOutput({ html, json }: RenderFlags, io: CliContext): Promise<void> {
  if (html === undefined) return
  if (json === true) throw usageError('--html cannot be combined with --json. Use only one.')
  if (html === '-') return
  await assertMayWrite(resolve(io.cwd, html), 'a page created by sidecard render', (content) =>
    content.includes('class="sidecard-widget"'),
  )
}

async function writeRendering(
  payload: Payload,
  { failures, outcome }: RenderSource,
  flags: RenderFlags,
  io: CliContext,
): Promise<void> {
  const { timeZone, html, width, links = false, json = false } = flags
  if (html !== undefined) {
    const page = renderHtml(payload, { timeZone })
    if (html === '-') io.stdout.write(page)
    else {
      await saveFile(resolve(io.cwd, html), page)
      io.stderr.write(`Wrote ${html}.\n`)
    }
    return
  }
  const color = io.color && !json
  const { text, truncations } = renderPayload(payload, { width, timeZone, links, color })
  if (json) {
    const ok = !hasFailed(failures)
    const described = failures.map((failure) => ({ ...failure, error: failure.error?.message }))
    const report = { ok, text, truncations, outcome, failures: described }
    printJson(report, io)
    return
  }
  io.stdout.write(text)
  for (const { path, kind } of truncations) io.stderr.write(`${path}: ${kind} truncated\n`)
}
