import { type CommandFailure, missingPackagesHint } from '../server/command-failure.ts'
import type { Session } from './session.ts'

/** Reports the failures of a command, each once. */
export function createFailures({ settings, io, emulator, reporter }: Session) {
  let reported: string | undefined
  return {
    /** Forgets what was reported, because the source has changed. */
    forget(): void {
      reported = undefined
    },
    isReported: () => reported !== undefined,
    /** @param reason why the command exited, if it did */
    report(failure: CommandFailure, reason?: string): void {
      const { location = null, excerpt } = failure
      const cause = reason === undefined ? '' : ` (${reason})`
      const advice = cause === '' || settings.once ? '' : 'Save a file to start it again.'
      const hint = missingPackagesHint(io.cwd) ?? advice
      const message = `your command failed${cause}`
      // A crash may already have been found in the output before the command exited.
      if (excerpt !== reported) reporter.commandFailed(message, hint, failure)
      else if (cause !== '') reporter.warn(`your command ended${cause}. ${hint}`.trimEnd())
      else return
      reported = excerpt
      const shown = hint === '' ? message : `${message}. ${hint}`
      emulator.devServer.set({ state: 'failed', message: shown, location, excerpt })
    },
  }
}
