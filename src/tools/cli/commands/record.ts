import { quote } from '../../internal/escape-for-display.ts'
import { text } from '../../../runtime/internal/read-options.ts'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { readObject } from '../../service/responses/reading.ts'
import { toShape } from '../../service/responses/shape.ts'
import { createRecording, isRecording } from '../../service/responses/recording.ts'
import { watchAssumptions } from '../assumptions/watch-assumptions.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { createCommand, listOption } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { assertMayWrite, saveFile } from '../output-file.ts'
import { printJson, runCommand, usageError } from '../run-command.ts'
import { type EndpointResult, fetchFromEndpoint } from './endpoint.ts'
import { ENDPOINT_OPTIONS, type EndpointFlags } from './endpoint-options.ts'

interface RecordFlags extends EndpointFlags {
  readonly output: string
  readonly keep?: readonly string[]
  readonly allowFailures?: boolean
  readonly json?: boolean
}

const EXAMPLES = `
Every text is replaced with a placeholder of the same form,
and equal texts with equal ones. All dates move by the same
time. Numbers, colors, labels and the texts of --keep stay.
A repeated --param name starts another customer, who is not
saved: then, only labels that all share stay. Otherwise,
those with a number or a value are replaced.
Values of headers are never saved.

Exit codes: 0 saved, 1 not saved (the endpoint reports a
failure, or the response is not a valid payload), 2 invalid
usage, 3 endpoint unreachable.

Examples:
  sidecard record --as 'Orders failed' --output failed.json
  sidecard record https://example.com/widget \\
    -H 'x-sidecard-secret: env:SIDECARD_SECRET' \\
    --param account_id=acme --output fixtures/acme.json
  sidecard record http://localhost:8787 --output - \\
    --param account_id=acme --param account_id=globex \\
    --keep Enterprise --keep Pro
`

const OPTIONS = [
  ...ENDPOINT_OPTIONS,
  new Option(
    '--output <file>',
    'the file to write, or - for standard output',
  ).makeOptionMandatory(),
  listOption('--keep <text>', 'a text to keep', text),
  new Option('--allow-failures', 'also save failures and invalid payloads'),
  new Option('--json', 'report as JSON'),
]

/** Runs `sidecard record`. @returns the exit code */
export async function run(args: readonly string[], io: CliContext): Promise<number> {
  const command = createCommand('record', OPTIONS, EXAMPLES)
    .description('Save the shape of a response as a test fixture, without personal data.')
    .argument('[app]', 'an app of sidecard.json, or the URL of an endpoint (default: the only app)')
  return runCommand(command, args, io, (target: string | undefined, flags: RecordFlags) =>
    record(target, flags, io),
  )
}

async function record(
  target: string | undefined,
  flags: RecordFlags,
  io: CliContext,
): Promise<number> {
  const { output, keep = [], json, allowFailures } = flags
  if (output === '-' && json === true) {
    throw usageError('--json and --output - both write to standard output. Use only one.')
  }
  const path = resolve(io.cwd, output)
  if (output !== '-') {
    await assertMayWrite(path, 'a recording', (content) => isRecording(readObject(content)))
  }
  const fetched = await fetchFromEndpoint('record', target, flags, io)
  const { client, ids, problem = null, failureCode, result } = fetched
  const { request, response, failure } = result.exchange
  const body = failure === undefined ? readObject(response?.text) : undefined
  const isRejected = problem !== null && allowFailures !== true
  if (response === undefined || body === undefined || isRejected) {
    const hint = body === undefined ? '' : ' To save it anyway, use --allow-failures.'
    const reason = problem ?? 'the response is not a JSON object'
    if (json === true) printJson({ ok: false, file: null, replaced: null, kept: [], problem }, io)
    else io.stderr.write(`sidecard record: ${reason}\nNothing was saved.${hint}\n`)
    return failureCode
  }
  const others = await fetchOthers(fetched)
  const shape = toShape({ params: ids, body }, { keep, others, redact: client.redact })
  const { replaced, kept } = shape
  const recording = createRecording(shape.params, request, response, shape.body)
  if (output === '-') printJson(recording, io)
  else await saveFile(path, `${JSON.stringify(recording, null, 2)}\n`)
  const assumptions = decideAssumptions(result.exchange)
  if (json === true) {
    printJson({ ok: true, file: output, replaced, kept, problem, assumptions }, io)
    return EXIT_CODES.ok
  }
  const saved = output === '-' ? '' : `Saved ${output}. `
  const summary = `${saved}Replaced ${replaced} ${replaced === 1 ? 'text' : 'texts'}.${formatKept(kept)}`
  const lines = assumptions.lines.map((line) => `sidecard record: ${line}`)
  const failed = problem === null ? [] : [`sidecard record: saved, but: ${problem}`]
  // Standard output may contain the recording, so the summary goes to standard error.
  io.stderr.write(`${[...failed, summary, ...lines].join('\n')}\n`)
  return EXIT_CODES.ok
}

/** Decides the assumptions about payloads. The request was Sidecard's own. */
function decideAssumptions({
  request,
  response,
  durationMs,
}: EndpointResult['result']['exchange']) {
  const lines: string[] = []
  const url = new URL(request.url)
  const watched = watchAssumptions(url.searchParams, (line) => lines.push(line))
  const { status, text: body = '' } = response ?? {}
  watched.see({
    sender: 'sidecard',
    method: 'GET',
    url,
    isForEndpoint: true,
    headerNames: [],
    startedAt: 0,
    durationMs,
    status,
    bytes: Buffer.byteLength(body),
    body: readObject(body),
  })
  return { ...watched.summary(), lines: [...lines, watched.formatSummary() ?? ''] }
}

/**
 * Fetches the data of the other customers, for their labels.
 *
 * @throws {SidecardError} `usage` for a customer without data, which reveals no
 * labels.
 */
async function fetchOthers({ client, others }: EndpointResult): Promise<readonly unknown[]> {
  const results = await Promise.all(others.map((ids) => client.fetchData(ids)))
  return results.map(({ outcome, payload }, index) => {
    if (outcome === 'rendered') return payload
    throw usageError(
      `Customer ${index + 2} of --param has no data. Pass the IDs of another customer.`,
    )
  })
}

/** Lists the texts that were kept, any of which may be personal. */
function formatKept(kept: readonly string[]): string {
  if (kept.length === 0) return ''
  const texts = new Intl.ListFormat('en').format(kept.map((each) => quote(each)))
  return ` Kept ${texts}. Review them before you commit the file.`
}
