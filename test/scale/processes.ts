import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_TIMEOUT_MS = 60_000

/** A server in its own process. */
export interface ServerProcess {
  readonly port: number
  /** Sends a signal and resolves with the exit code when the process has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a program, and resolves when it accepts connections on its port. */
export async function startProcess(
  program: string,
  args: readonly string[],
  port: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(program, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text.slice(0, 10_000)))
  try {
    await untilListening(port, child)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${program} did not start: ${errors}`, { cause: error })
  }
  return {
    port,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill(signal)
        await exit
      }
      return child.exitCode
    },
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const startedAt = performance.now()
  /* oxlint-disable no-await-in-loop -- one attempt after another */
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS) {
      throw new Error(`Nothing listens on port ${port}.`)
    }
    await delay(20)
  }
  /* oxlint-enable no-await-in-loop */
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
