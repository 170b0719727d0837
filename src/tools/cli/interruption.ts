import { readFileSync } from 'node:fs'
import { EXIT_CODES } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The interval of the checks for a lost parent process. */
const PARENT_INTERVAL_MS = 250

/**
 * Runs an action until Ctrl-C, SIGTERM or a closed terminal aborts it. A second
 * signal exits immediately. In an npm script, the end of npm counts as a signal,
 * because npm does not always forward signals.
 */
export async function withInterruptSignal<Result>(
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT_CODES.interrupted)
    controller.abort()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  const timer = watchParent(() => controller.abort())
  try {
    return await action(controller.signal)
  } finally {
    clearInterval(timer)
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}

function watchParent(onLost: () => void): NodeJS.Timeout | undefined {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined
  const parent = process.ppid
  const shell = readProcess(parent)
  const npm = shell?.name === 'sh' ? shell.parent : undefined
  return setInterval(() => {
    const isOrphan = process.ppid !== parent
    if (isOrphan || (npm !== undefined && readProcess(parent)?.parent !== npm)) onLost()
  }, PARENT_INTERVAL_MS).unref()
}

/**
 * Reads the name and the parent of a process, because npm starts a shell that may
 * outlive npm. Only Linux shows them without starting another process.
 */
function readProcess(pid: number): { readonly name: string; readonly parent: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, name = ''] = /^Name:\s*(.*)$/m.exec(status) ?? []
    const [, parent] = /^PPid:\s*(\d+)$/m.exec(status) ?? []
    return { name, parent: Number(parent) }
  } catch {
    return undefined
  }
}
