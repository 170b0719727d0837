import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { DEV_VARIABLE, PROJECT_VARIABLE } from '../../../runtime/internal/headers.ts'
import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { usageError } from '../run-command.ts'
import { withWorkerVariables } from './known-commands.ts'
import { portOf } from './listening.ts'
import { identifyProject } from './port-owner.ts'

type Stream = 'stdout' | 'stderr'

/** Options of `startDevServer()`. */
export interface DevServerOptions {
  /** The URL of the app that the command serves. */
  readonly url: URL
  readonly cwd: string
  /**
   * Added to the environment. A Worker gets them as options, because it cannot read
   * the environment.
   */
  readonly variables: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives complete lines. */
  readonly onOutput: (text: string, stream: Stream) => void
}

/** The user's dev server, as a process group. */
export interface DevServer extends ReturnType<typeof startDevServer> {}

const MAX_LINE_LENGTH = 200_000
const STOP_TIMEOUT_MS = 2_000
const onWindows = process.platform === 'win32'

/**
 * Runs in the process group of the dev server and reads from a pipe that only this
 * process has open. When this process ends, even by SIGKILL, the pipe is closed,
 * and the watchdog stops the group. It ignores its own signals.
 */
const WATCHDOG = `
( trap '' TERM INT HUP; read -r _ <&3; kill -TERM 0; sleep 2; kill -KILL 0 ) >/dev/null 2>&1 &
exec 3<&-
exec "$@"`

/**
 * How long to wait for the last output of an exited server. A process that it
 * left behind may keep the pipes open.
 */
const OUTPUT_TIMEOUT_MS = 300

/**
 * Starts a command with its port in `PORT`, if the URL is on this machine. As in
 * an npm script, programs in `node_modules/.bin` are found. The command has no
 * keyboard input, and its output is passed on.
 *
 * @throws {SidecardError} `usage` or `command_missing`
 */
export function startDevServer(
  command: readonly string[],
  { url, cwd, env: ownEnv, variables: ownVariables, onOutput }: DevServerOptions,
) {
  const port = isLoopback(url.hostname) ? portOf(url) : ''
  const variables = {
    ...ownVariables,
    [DEV_VARIABLE]: '1',
    [PROJECT_VARIABLE]: identifyProject(cwd),
  }
  const [program = '', ...args] = withWorkerVariables(command, port, variables)
  const path = `${join(cwd, 'node_modules', '.bin')}${delimiter}${ownEnv['PATH'] ?? ''}`
  const env = {
    ...ownEnv,
    ...withoutProxy(ownEnv),
    ...variables,
    ...(port !== '' && { PORT: port }),
    PATH: path,
  }
  assertRunnable(program, cwd, path)
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  // The command gets its own process group, so that the processes it starts can be stopped with it.
  const options = { cwd, env, shell: onWindows, detached: !onWindows, stdio: [...stdio] }
  const child = onWindows
    ? spawn(program, args, options)
    : spawn('/bin/sh', ['-c', WATCHDOG, 'sh', program, ...args], options)
  async function read(stream: Stream): Promise<void> {
    let text = ''
    for await (const piece of child[stream]?.setEncoding('utf8') ?? []) {
      text += String(piece)
      // A very long line is split, so that the text does not grow without limit.
      const end = text.length > MAX_LINE_LENGTH ? text.length : text.lastIndexOf('\n') + 1
      if (end > 0) onOutput(text.slice(0, end), stream)
      text = text.slice(end)
    }
    if (text !== '') onOutput(`${text}\n`, stream)
  }

  const allRead = Promise.allSettled([read('stdout'), read('stderr')])
  const ended = Promise.withResolvers<string | undefined>()
  child.on('error', (error: NodeJS.ErrnoException) =>
    ended.resolve(`it could not be started (${error.code ?? error.name})`),
  )
  child.on('exit', (code, endedBy) => {
    const reason = endedBy === null ? `exit code ${code}` : endedBy
    const finish = () => ended.resolve(code === 0 ? undefined : reason)
    void allRead.then(finish)
    setTimeout(finish, OUTPUT_TIMEOUT_MS)
  })

  function signal(name: NodeJS.Signals): void {
    try {
      if (onWindows || child.pid === undefined) child.kill(name)
      else process.kill(-child.pid, name)
    } catch {
      // The process group has already ended.
    }
  }
  // After a second signal or an error, the group must not outlive this process.
  const killGroup = () => signal('SIGKILL')
  process.once('exit', killGroup)

  return {
    /** Resolves when it exits: with the reason, or `undefined` for exit code 0. Never rejects. */
    ended: ended.promise,
    /** Stops the whole process group, and kills its remaining processes after two seconds. */
    async stop(): Promise<void> {
      signal('SIGTERM')
      const timer = setTimeout(killGroup, STOP_TIMEOUT_MS)
      await ended.promise
      clearTimeout(timer)
      // The watchdog and the processes that the command started may outlive it.
      killGroup()
      process.off('exit', killGroup)
    },
  }
}

/** Lets a command behind a proxy reach the emulated API, which is on this machine. */
function withoutProxy(env: DevServerOptions['env']): Readonly<Record<string, string>> {
  const isBehindProxy = Object.entries(env).some(
    ([name, value]) => /^(?:https?|all)_proxy$/i.test(name) && value,
  )
  if (!isBehindProxy) return {}
  const hosts = [env['no_proxy'] ?? env['NO_PROXY'] ?? '', 'localhost', '127.0.0.1', '::1']
  const list = hosts.filter((host) => host !== '').join(',')
  return { NO_PROXY: list, no_proxy: list }
}

/**
 * Requires that a program can be found, because the shell would report a missing
 * one as its own failure.
 */
function assertRunnable(program: string, cwd: string, path: string): void {
  if (/^https?:/i.test(program)) {
    throw usageError('The command is a URL. Pass the URL of your endpoint as --url.')
  }
  if (onWindows) return
  const folders = program.includes('/') ? [''] : path.split(delimiter)
  if (folders.some((folder) => isExecutable(resolve(cwd, folder, program)))) return
  throw new SidecardError(
    'command_missing',
    `Cannot run ${JSON.stringify(program)}. Check the name and whether it is installed (npm install).`,
  )
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
