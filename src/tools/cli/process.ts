import { writeSync } from 'node:fs'
import { EXIT_CODES } from './exit-codes.ts'
import { createCliContext } from './io.ts'
import { reportInternalError, runCli } from './program.ts'

/** Runs the CLI with the arguments, the terminal and the signals of this process. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  ignoreClosedOutput()
  hideExperimentalWarnings()
  const io = createCliContext()
  process.on('uncaughtException', (error) => {
    reportInternalError(error, argv[0], io)
    process.exit(EXIT_CODES.internal)
  })
  process.exitCode = await runCli(argv, io)
  // Pending requests would keep an interrupted command alive.
  if (process.exitCode === EXIT_CODES.interrupted) process.exit()
}

/**
 * Ends the process if its output is closed early, as in `sidecard check --list |
 * head`, or by closing the terminal.
 */
function ignoreClosedOutput(): void {
  let isClosed = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') reportUnwritableOutput(error)
      // A command such as `dev` would otherwise run forever.
      if (!isClosed) process.emit('SIGHUP')
      isClosed = true
    })
  }
}

/** Exits if the output cannot be written, for example to a full disk. */
function reportUnwritableOutput({ code }: NodeJS.ErrnoException): never {
  try {
    writeSync(2, `sidecard: The output cannot be written (${code ?? 'unknown error'}).\n`)
  } catch {
    // Standard error may be unwritable as well.
  }
  process.exit(EXIT_CODES.failed)
}

/** Hides the warning of some supported Node versions that `node:sqlite` is experimental. */
function hideExperimentalWarnings(): void {
  const printers = process.listeners('warning')
  process.removeAllListeners('warning').on('warning', (warning) => {
    if (warning.name === 'ExperimentalWarning') return
    for (const print of printers) print(warning)
  })
}
