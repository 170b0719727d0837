import type { RunningProcess } from './dev-command.ts'

/** Sends a request until a program accepts it. @throws if the program ends before */
export async function waitUntilItAccepts(
  send: () => Promise<unknown>,
  { exit, output }: RunningProcess,
): Promise<void> {
  let isOver = false
  void exit.then(() => (isOver = true))
  for (;;) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const error = await send().then(
      () => undefined,
      (reason: NodeJS.ErrnoException) => reason,
    )
    if (error === undefined) return
    const { code } = (error.cause ?? error) as NodeJS.ErrnoException
    if (isOver || code !== 'ECONNREFUSED') throw new Error(output(), { cause: error })
    await new Promise((resolve) => setTimeout(resolve, 50))
    // oxlint-enable no-await-in-loop
  }
}
