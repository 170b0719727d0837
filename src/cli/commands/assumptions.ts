import { Command } from 'commander'
import { quote } from '../../internal/escape-for-display.ts'
import { readTraffic } from '../assumptions/read-traffic.ts'
import { createReport, formatReport } from '../assumptions/report.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { parseJsonFile } from '../parse-json-file.ts'
import { readInput } from '../read-input.ts'
import { runCommand, usageError } from '../run-command.ts'

const EXAMPLES = `
The file is a HAR document: the export of the workspace
after real requests through a tunnel (sidecard dev
--proxy-port), or a file from another proxy, which can also
contain API calls. The output contains no IDs, emails,
codes, secrets, hosts or payload texts, so that you can
share it.

Exit codes: 0 every decided assumption holds, 1 one does not
hold, or none was decided, 2 invalid usage.

Examples:
  sidecard assumptions sidecard.har
  sidecard assumptions api.har --json > result.json
`

/** Runs `sidecard assumptions`. @returns the exit code */
export async function runAssumptionsCommand(
  args: readonly string[],
  io: CliContext,
): Promise<number> {
  const command = new Command('sidecard assumptions')
    .description('Compare requests from the real service with the assumptions.')
    .argument('<file>', 'a HAR document or a recording, or - for standard input')
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES)
  return runCommand(command, args, io, async (source: string, flags: { json?: boolean }) => {
    const traffic = readTraffic(parse(source, await readInput(source, io)))
    if (traffic === undefined) {
      throw usageError(
        `${quote(source)} is neither a HAR document nor a recording. Export the requests through a tunnel in the Inspector of the workspace, with "Export as HAR".`,
      )
    }
    const report = createReport(traffic)
    const width = Math.min(Math.max(io.stdout.columns ?? 100, 40), 100)
    io.stdout.write(
      flags.json === true
        ? `${JSON.stringify(report, null, 2)}\n`
        : formatReport(report, { palette: io.palette, width }),
    )
    const { holds, does_not_hold: failed } = report.summary
    return holds > 0 && failed === 0 ? EXIT_CODES.ok : EXIT_CODES.failed
  })
}

function parse(source: string, text: string): unknown {
  if (text.trim() === '') throw usageError(`${quote(source)} is empty.`)
  return parseJsonFile(quote(source), text)
}
