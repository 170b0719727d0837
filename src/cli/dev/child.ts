import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { SidecardError } from '../../errors.ts'
import type { CliIo } from '../io.ts'

/** The user's own development server, as a process of ours. */
export interface DevServer {
  /** Resolves when it ends: how, in words, unless it ended well. Never rejects. */
  readonly ended: Promise<string | undefined>
  /** Asks it to end, and makes it when it does not within two seconds. */
  stop(): Promise<void>
}

const PATIENCE_MS = 2_000
const onWindows = process.platform === 'win32'

/**
 * Starts the command that follows `--`, with this terminal. Programs of
 * `node_modules/.bin` are found, as in an npm script.
 *
 * @throws {SidecardError} `command_missing` when there is no such program
 */
export async function startDevServer(
  [program = '', ...args]: readonly string[],
  { cwd, env }: Pick<CliIo, 'cwd' | 'env'>,
): Promise<DevServer> {
  const bin = join(cwd, 'node_modules', '.bin')
  const child = spawn(program, args, {
    cwd,
    stdio: 'inherit',
    env: { ...env, PATH: `${bin}${delimiter}${env['PATH'] ?? ''}` },
    // A group of its own, so that what it has started ends with it.
    detached: !onWindows,
    shell: onWindows,
  })
  const ended = Promise.withResolvers<string | undefined>()
  child.on('exit', (code, signal) => {
    // A server that reads the keyboard itself, as Wrangler does, ends well on Ctrl-C.
    const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
    ended.resolve(code === 0 ? undefined : how)
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new SidecardError(
      'command_missing',
      `The command ${JSON.stringify(program)} cannot be run: check its name, and that it is installed (npm install).`,
      { cause: error },
    )
  }

  function signal(name: NodeJS.Signals): void {
    try {
      if (onWindows || child.pid === undefined) child.kill(name)
      else process.kill(-child.pid, name)
    } catch {
      // It has ended by itself.
    }
  }

  return {
    ended: ended.promise,
    async stop() {
      signal('SIGTERM')
      const timer = setTimeout(() => signal('SIGKILL'), PATIENCE_MS)
      await ended.promise
      clearTimeout(timer)
      // What the server has started may outlive it.
      signal('SIGKILL')
    },
  }
}
