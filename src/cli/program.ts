import { readFile } from 'node:fs/promises'
import { closest } from '../internal/closest.ts'
import { COMMANDS } from './commands/index.ts'
import { EXIT_CODES } from './exit-codes.ts'
import type { CliIo } from './io.ts'

/**
 * Runs `sidecard` with its arguments. Each command is loaded only when it runs,
 * so that `--help` answers at once.
 *
 * @returns the exit code
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const [first, ...rest] = argv
  if (first === undefined) {
    io.stderr.write(help())
    return EXIT_CODES.usage
  }
  if (first === '--version' || first === '-V') return print(io, `${await version()}\n`)
  if (first === '--help' || first === '-h') return print(io, help())
  if (first === 'help')
    return rest[0] === undefined ? print(io, help()) : run(rest[0], ['--help'], io)
  return run(first, rest, io)
}

async function run(name: string, args: readonly string[], io: CliIo): Promise<number> {
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
    const kind = error instanceof Error ? error.name : typeof error
    io.stderr.write(`sidecard ${name}: a fault of our own (${kind}). Please report it.\n`)
    return EXIT_CODES.internal
  }
}

function unknown(name: string): string {
  const isOption = name.startsWith('-')
  const names = isOption ? ['--help', '--version'] : COMMANDS.map((command) => command.name)
  const meant = closest(name, names)
  const kind = isOption ? 'option' : 'command'
  const hint =
    meant === undefined ? 'sidecard --help lists what there is' : `did you mean ${meant}?`
  return `there is no such ${kind}: ${hint}`
}

function print(io: CliIo, text: string): number {
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
  -h, --help     sidecard <command> --help says more
  -V, --version  the version of sidecard

Examples:
  sidecard new billing-card --template workers
  sidecard dev -- wrangler dev
  sidecard check http://localhost:8787
  sidecard record http://localhost:8787 --out acme.json
`
}

async function version(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
