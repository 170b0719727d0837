import { type Command, CommanderError } from 'commander'
import { isSidecardError, SidecardError } from '../../runtime/internal/errors.ts'
import { EXIT_CODES } from './exit-codes.ts'
import type { CliContext } from './io.ts'

/** Creates an error for invalid usage: one line, and exit code 2. */
export function usageError(message: string): SidecardError {
  return new SidecardError('usage', message)
}

/** Writes a value as JSON to standard output. */
export function printJson(value: object, { stdout }: Pick<CliContext, 'stdout'>): void {
  stdout.write(`${JSON.stringify(value, undefined, 2)}\n`)
}

/**
 * Parses arguments and runs a commander command. A `SidecardError` is reported in
 * one line on standard error, as invalid usage unless a write failed or was
 * interrupted.
 *
 * @returns the exit code
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  io: CliContext,
  action: (...parsed: never[]) => Promise<number>,
): Promise<number> {
  let exitCode: number = EXIT_CODES.ok
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({
      helpWidth: Math.min(Math.max(io.stdout.columns ?? 80, 60), 100),
      minWidthToWrap: 20,
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(`${command.name()}: ${text.replace(/^error: /, '')}`),
    })
    .action(async (...parsed: unknown[]) => {
      exitCode = await action(...(parsed as never[]))
    })
  try {
    await command.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
    if (!isSidecardError(error)) throw error
    io.stderr.write(`${command.name()}: ${error.message}\n`)
    if (error.code === 'interrupted') return EXIT_CODES.interrupted
    return error.code === 'cannot_write' ? EXIT_CODES.failed : EXIT_CODES.usage
  }
}
