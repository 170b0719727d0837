const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs something that Ctrl-C, SIGTERM or a closed terminal asks to end, by its
 * signal; a second one ends the process at once.
 */
export async function untilInterrupted<Result>(
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  for (const name of SIGNALS) process.once(name, interrupt)
  try {
    return await action(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
}
