import { VERSION } from '../emulator/store/package-folder.ts'
import { findUnknownName } from '../../runtime/internal/read-options.ts'
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
  const isHelp = first === '--help' || first === '-h' || first === 'help'
  if (first === 'help' && rest[0] !== undefined) return run(rest[0], ['--help'], io)
  if (!isHelp && first !== '--version' && first !== '-V') return run(first, rest, io)
  io.stdout.write(isHelp ? help() : `${VERSION}\n`)
  return EXIT_CODES.ok
}

async function run(name: string, args: readonly string[], io: CliContext): Promise<number> {
  const command = COMMANDS.get(name)
  if (command === undefined) {
    const [what, known] = name.startsWith('-')
      ? ['option', ['--help', '--version']]
      : ['command', [...COMMANDS.keys()]]
    io.stderr.write(`sidecard: ${findUnknownName(what, { [name]: true }, known)}\n`)
    return EXIT_CODES.usage
  }
  try {
    const loaded = await command.load()
    return await loaded.run(args, io)
  } catch (error) {
    reportInternalError(error, name, io)
    return EXIT_CODES.internal
  }
}

/**
 * Prints an internal error in one line. The stack is only printed with
 * `DEBUG=sidecard`, because it may contain values that must not be shared.
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

function help(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length))
  return `Usage: sidecard <command> [options]

The kit for custom sidebar apps.

Commands:
${[...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}

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
