import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { PLAIN } from '../../src/tools/internal/palette.ts'
import { runDev } from '../../src/tools/cli/dev/run-dev.ts'
import type { DevApp, DevServerSettings, DevSettings } from '../../src/tools/cli/dev/settings.ts'
import { collectOutput, type openWorkspace, temporaryFolder } from './dev-command.ts'
import { findFreePort } from './free-port.ts'

/** A dev command that runs a shell script. */
export const sh = (script: string) => ['/bin/sh', '-c', script]

/** A change of data right after a data fetch may have been made by the app, so it does not count. */
export const GRACE_MS = 1_100

/** Nothing listens there. */
export const NOWHERE = 'http://127.0.0.1:9/'

/** The settings of a session with one app. */
export interface SessionSettings
  extends
    Partial<DevSettings>,
    Partial<Pick<DevApp, 'headers'>>,
    Partial<Pick<DevServerSettings, 'command'>> {
  readonly url?: string
}

const SETTINGS: Omit<DevSettings, 'servers'> = {
  readProject: () => ({ apps: [], customers: [], states: [], unknown: { shows: [] } }),
  emulator: {},
  port: 0,
  listen: {},
  tunnelPort: undefined,
  open: false,
  json: false,
  once: false,
}

/** Runs `sidecard dev` in this process, which is faster than a subprocess. It ends with the test. */
export function startSession(
  { url = NOWHERE, headers = () => ({}), command = [], ...settings }: SessionSettings,
  {
    onEnd = onTestFinished,
    cwd = temporaryFolder(onEnd),
    env = { PATH: process.env['PATH'] },
    color = false,
  }: {
    /** The hook of a concurrent test. */
    readonly onEnd?: typeof onTestFinished
    readonly cwd?: string
    readonly env?: Readonly<Record<string, string | undefined>>
    readonly color?: boolean
  } = {},
) {
  const controller = new AbortController()
  const exit = Promise.withResolvers<number>()
  const { write, output, until } = collectOutput(exit.promise)
  let stderr = ''
  const io = {
    stdin: (async function* () {})(),
    stdout: { write },
    stderr: {
      write(text: string) {
        stderr += text
        write(text)
      },
    },
    env,
    cwd,
    palette: PLAIN,
    color,
  }
  const app = { name: 'Billing', url: new URL(url), headers }
  const servers = [{ apps: [app], command }] as const
  runDev({ ...SETTINGS, servers, ...settings }, io, controller.signal).then(
    exit.resolve,
    exit.reject,
  )
  const stop = () => {
    controller.abort()
    return exit.promise
  }
  onEnd(() => stop().then(undefined, () => undefined))
  return {
    cwd,
    exit: exit.promise,
    stop,
    output,
    until,
    errors: () => stderr,
    /** Waits for the URL of the workspace. */
    workspaceUrl: async () => (await until(/Workspace {2}(\S+)\n/))[1] ?? '',
    /** Saves a source file, and waits until the workspace is told to reload. */
    async saveAndReload(workspace: Awaited<ReturnType<typeof openWorkspace>>): Promise<any> {
      writeFileSync(join(cwd, 'app.ts'), String(performance.now()))
      return workspace.nextChange()
    },
  }
}

/** What an app without a framework does, which a test can change. */
export interface AppBehavior {
  says: string
  /** The ID of the code that responds to a handshake and to a data fetch, if it has one. */
  instance?: string | (() => string)
  /** The project that the server names in its responses. */
  project?: string | undefined
  /** The ID of the code that responds to a data fetch, if it is another one. */
  fetchInstance?: string | undefined
  /** Called before the response of a data fetch. */
  onFetch?: () => void | Promise<void>
  /** The value that the header `x-key` must have. */
  secret?: string | undefined
}

/**
 * Starts an app that a test can change, stop and start again.
 *
 * @param onEnd the hook of a concurrent test
 */
export async function startApp(
  behavior: AppBehavior = { says: 'first' },
  onEnd: typeof onTestFinished = onTestFinished,
) {
  const port = await findFreePort()
  const server = createServer((request, response) => void respond(behavior, request, response))
  const app = {
    behavior,
    url: `http://127.0.0.1:${port}/widget`,
    async start() {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    async stop() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
  await app.start()
  onEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return app
}

async function respond(
  behavior: AppBehavior,
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { secret, onFetch } = behavior
  if (secret !== undefined && headers['x-key'] !== secret) {
    response.writeHead(401).end()
    return
  }
  const code = new URL(url, 'http://x').searchParams.get('code')
  if (code === null) await onFetch?.()
  const { says, instance, fetchInstance = instance } = behavior
  const id = code === null ? fetchInstance : instance
  if (id !== undefined) {
    response.setHeader('x-sidecard-instance', typeof id === 'string' ? id : id())
  }
  if (behavior.project !== undefined) response.setHeader('x-sidecard-project', behavior.project)
  const header = { title: 'Test', icon_url: 'https://example.com/i.png' }
  const components = [{ type: 'text', label: 'Says', value: says }]
  const answer = code === null ? { version: '1.0.0', header, components } : { code }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
}
