import { constants } from 'node:os'
import { describeReason } from './describe-reason.ts'

/**
 * A function that drains one server, runs its `onClose`, and returns whether all
 * work was finished.
 */
type Close = () => Promise<boolean>

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** All servers that close on a signal. The process ends when the last one has drained. */
const servers = new Set<Close>()
let ending = false

/**
 * Closes a server on SIGTERM and SIGINT, and then ends the process. All servers
 * of the process drain concurrently. A second signal ends the process
 * immediately.
 *
 * @returns a function that removes the server again
 */
export function closeOnSignal(close: Close): () => void {
  if (servers.size === 0) for (const signal of SIGNALS) process.on(signal, end)
  servers.add(close)
  return () => {
    // The handlers stay installed while the process ends, because they count the signals.
    if (servers.delete(close) && servers.size === 0 && !ending) removeHandlers()
  }
}

function removeHandlers(): void {
  for (const signal of SIGNALS) process.off(signal, end)
}

function end(signal: NodeJS.Signals): void {
  if (ending) {
    // As PID 1 in a container, a process ignores a signal that it sends to itself.
    process.exit(128 + constants.signals[signal])
  }
  ending = true
  void Promise.allSettled([...servers].map((close) => close())).then((results) => {
    const failures = results.filter((result) => result.status === 'rejected')
    for (const { reason } of failures) {
      process.stderr.write(`sidecard: onClose failed: ${describeReason(reason)}\n`)
    }
    const isFinished = results.every((result) => result.status === 'fulfilled' && result.value)
    process.exit(isFinished ? 0 : 1)
  })
}
