import { resolve } from 'node:path'
import { endpointUrl } from '../../desk/target.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { AppView, SeedName } from '../../emulator/protocol.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliIo } from '../io.ts'
import { createTransport } from '../transport/transport.ts'
import { type DevServer, startDevServer } from './child.ts'
import { waitForEndpoint } from './endpoint.ts'
import { openBrowser } from './open-browser.ts'
import { createReloader } from './reload.ts'
import { watchSource } from './watch.ts'

/** What `sidecard dev` was asked for. */
export interface DevSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The bearer token of the emulated API. @default a random one */
  readonly accessToken?: string
  readonly name: string
  readonly port: number
  readonly database: string
  readonly seed: SeedName
  readonly strict: boolean
  readonly open: boolean
  readonly command: readonly string[]
  /** How long to wait before the person is told what to look at; the waiting goes on. @default 5000 */
  readonly adviseAfterMs?: number
}

/**
 * Runs the emulator with the user's app connected, until the signal aborts or
 * the user's own server ends.
 *
 * @returns the exit code
 */
export async function runDevSession(
  settings: DevSettings,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  const endpoint = endpointUrl(settings.url)
  const { database, seed, strict, port } = settings
  await using emulator = createEmulator({
    database: database === ':memory:' ? database : resolve(io.cwd, database),
    seed,
    strict,
    ...(settings.accessToken !== undefined && { accessToken: settings.accessToken }),
    fetch: createTransport({ publicOnly: false }).fetch,
  })
  const { url } = await emulator.listen({ port })
  const server = await startServer(settings, emulator, io)
  try {
    say(io, `${io.palette.bold('Workspace')}  ${io.palette.cyan(`${url}/`)}`)
    if (settings.open) openBrowser(`${url}/`)
    const over = endOf(server, signal)
    const connecting = new AbortController()
    over.then(() => connecting.abort()).catch(() => undefined)
    const stopWatching = await connectAndWatch(settings, endpoint, emulator, io, connecting.signal)
    const ending = await over
    stopWatching()
    if (ending === undefined) return EXIT_CODES.ok
    io.stderr.write(`sidecard dev: the command ${ending}\n`)
    return EXIT_CODES.failed
  } finally {
    await server?.stop()
  }
}

function startServer(
  { command }: DevSettings,
  emulator: Emulator,
  io: CliIo,
): Promise<DevServer> | undefined {
  if (command.length === 0) return undefined
  const { cwd } = io
  const api = { SIDECARD_API_URL: emulator.url, SIDECARD_API_TOKEN: emulator.accessToken }
  return startDevServer(command, { cwd, env: { ...io.env, ...api } })
}

/** How the user's server ended, or `undefined` when the person ended it or the session. */
function endOf(server: DevServer | undefined, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  if (signal.aborted) resolve(undefined)
  signal.addEventListener('abort', () => resolve(undefined), { once: true })
  server?.ended.then(resolve).catch(() => undefined)
  return promise
}

/** @returns ends the watching */
async function connectAndWatch(
  settings: DevSettings,
  endpoint: URL,
  emulator: Emulator,
  io: CliIo,
  signal: AbortSignal,
): Promise<() => void> {
  const { adviseAfterMs = 5_000 } = settings
  if (!(await waitForEndpoint(endpoint, adviseAfterMs, signal)) && !signal.aborted) {
    const advice =
      settings.command.length === 0
        ? `start your server there, let sidecard start it (sidecard dev -- node src/server.ts), or give its address with --url`
        : `the command runs, but does not listen there: compare its port with --url`
    io.stderr.write(`sidecard dev: nothing answers at ${settings.url}: ${advice}. Still waiting.\n`)
    await waitForEndpoint(endpoint, Infinity, signal)
  }
  if (signal.aborted) return () => undefined
  const app = await connect(settings, endpoint, emulator)
  report(app, io)
  const reloader = createReloader(emulator, app.id, endpoint)
  const stopWatching = watchSource(io.cwd, () => reloader.sourceChanged())
  return () => {
    stopWatching()
    reloader.stop()
  }
}

/** Connects the app of this address, which a database may hold from an earlier run. */
async function connect(
  { headers, name }: DevSettings,
  endpoint: URL,
  { apps }: Emulator,
): Promise<AppView> {
  const known = apps.list().find(({ url }) => url === endpoint.href)
  if (known === undefined) return apps.create({ name, url: endpoint.href, headers })
  const updated = await apps.update(known.id, { headers })
  return updated.state === 'connected' ? updated : apps.connect(known.id)
}

function report({ name, url, lastHandshake, state }: AppView, io: CliIo): void {
  const result = lastHandshake?.result
  if (result === undefined || result.ok) {
    say(io, `${io.palette.green(state)}  ${name} at ${url}`)
    return
  }
  say(io, `${io.palette.red(state)}  ${name} at ${url}: ${result.message}`)
  say(io, `            ${result.remedy}`)
}

function say(io: CliIo, line: string): void {
  io.stdout.write(`${line}\n`)
}
