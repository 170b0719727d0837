import { VERSION } from '../emulator/store/package-folder.ts'
import { closestMatch } from '../internal/closest-match.ts'
import { quote } from '../internal/escape-for-display.ts'
import { COMMANDS } from './commands/index.ts'
import { EXIT_CODES } from './exit-codes.ts'
import type { CliContext } from './io.ts'

/**
 * Runs `sidecard` with its arguments. Each command is loaded only when it runs,
 * so that `--help` prints immediately.
 *
 * @returns the exit code
 */
export async function runCli(argv: readonly string[], io: CliContext): Promise<number> {
  const [first, ...rest] = argv
  if (first === undefined) {
    io.stderr.write(help())
    return EXIT_CODES.usage
  }
  if (first === '--version' || first === '-V') return print(io, `${VERSION}\n`)
  if (first === '--help' || first === '-h') return print(io, help())
  if (first === 'help')
    return rest[0] === undefined ? print(io, help()) : run(rest[0], ['--help'], io)
  return run(first, rest, io)
}

async function run(name: string, args: readonly string[], io: CliContext): Promise<number> {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) {
    io.stderr.write(`sidecard: ${unknown(name)}\n`)
    return EXIT_CODES.usage
  }
  try {
    return await (
      await command.load()
    )(args, io)
  } catch (error) {
    reportInternalError(error, name, io)
    return EXIT_CODES.internal
  }
}

/**
 * Writes one line, and the stack only with `DEBUG=sidecard`, because it may
 * contain values that must not be shared.
 */
export function reportInternalError(
  error: unknown,
  command: string | undefined,
  io: CliContext,
): void {
  const kind = error instanceof Error ? error.name : typeof error
  const subject = command === undefined ? 'sidecard' : `sidecard ${command}`
  const debug = /(?:^|,)(?:\*|sidecard(?::\*)?)(?:,|$)/.test(io.env['DEBUG'] ?? '')
  const advice = debug ? '' : ' DEBUG=sidecard shows the stack.'
  io.stderr.write(`${subject}: internal error (${kind}). Please report it.${advice}\n`)
  if (!debug) return
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  io.stderr.write(`${stack}\n`)
}

function unknown(name: string): string {
  const isOption = name.startsWith('-')
  const names = isOption ? ['--help', '--version'] : COMMANDS.map((command) => command.name)
  const suggestion = closestMatch(name, names)
  const hint =
    suggestion === undefined ? 'Run sidecard --help for a list.' : `Did you mean ${suggestion}?`
  return `unknown ${isOption ? 'option' : 'command'} ${quote(name)}. ${hint}`
}

function print(io: CliContext, text: string): number {
  io.stdout.write(text)
  return EXIT_CODES.ok
}

function help(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  return `Usage: sidecard <command> [options]

The kit for custom sidebar apps.

Commands:
${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

Options:
  -h, --help     show help; sidecard <command> --help shows
                 a command's options
  -V, --version  print the version

Examples:
  sidecard new billing-card --template workers
  sidecard dev -- wrangler dev
  sidecard check http://localhost:8787
  sidecard record http://localhost:8787 --output acme.json
`
}
