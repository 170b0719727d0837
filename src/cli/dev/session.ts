import { resolve } from 'node:path'
import { parseEndpointUrl } from '../../service/target.ts'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import { DEV_VARIABLE } from '../../internal/headers.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import type { CliContext } from '../io.ts'
import { usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { createCommandMonitor, type CommandMonitor } from './command-monitor.ts'
import { type DevServer, startDevServer } from './dev-server.ts'
import { isListening, waitForEndpoint } from './listening.ts'
import { openBrowser } from './open-browser.ts'
import { rejectsWithoutSecret } from './protection.ts'
import { createReloader } from './reloader.ts'
import { type RequestTracker, trackRequests } from './request-tracker.ts'
import { watchSource } from './source-watcher.ts'
import { startTunnelProxy } from './tunnel-proxy.ts'

/** The settings of `sidecard dev`. */
export interface DevSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** IDs to request with instead of those of an issue. */
  readonly params: Readonly<Partial<Record<FetchDataParameter, string>>>
  /** The bearer token of the emulated API. @default a random one */
  readonly accessToken?: string
  readonly name: string
  readonly port: number
  /** The port for a tunnel; `undefined` for none. */
  readonly proxyPort: number | undefined
  readonly database: string
  /** The name of a built-in data set, or the user's own data set. */
  readonly dataset: NonNullable<EmulatorOptions['dataset']>
  readonly strict: boolean
  readonly open: boolean
  readonly command: readonly string[]
  /** How long to wait for the endpoint before printing a hint, in milliseconds. @default 5000 */
  readonly hintAfterMs?: number
}

/** The values that all parts of a session share. */
interface Session {
  readonly settings: DevSettings
  readonly io: CliContext
  readonly endpoint: URL
  readonly emulator: Emulator
  readonly requests: RequestTracker
  readonly monitor: CommandMonitor
}

/**
 * Runs the emulator with the user's app, until the signal aborts or the dev
 * server exits.
 *
 * @returns the exit code
 */
export async function runDevSession(
  settings: DevSettings,
  io: CliContext,
  signal: AbortSignal,
): Promise<number> {
  const endpoint = parseEndpointUrl(settings.url)
  await assertPortIsFree(settings, endpoint)
  const requests = trackRequests(createTransport(io.env).fetch)
  const { database, dataset, strict, port } = settings
  await using emulator = createEmulator({
    database: database === ':memory:' ? database : resolve(io.cwd, database),
    dataset,
    projectDir: io.cwd,
    strict,
    ...(settings.accessToken !== undefined && { accessToken: settings.accessToken }),
    fetch: requests.fetch,
  })
  const { params } = settings
  if (Object.keys(params).length > 0) {
    emulator.presets.add({ name: 'From the command line', params, source: 'command' })
  }
  const { url } = await emulator.listen({ port })
  const monitor = createCommandMonitor({ settings, endpoint, io, emulator })
  const session: Session = { settings, io, endpoint, emulator, requests, monitor }
  const server = startServer(session)
  try {
    printLine(io, `${io.palette.bold('Workspace')}  ${io.palette.cyan(`${url}/`)}`)
    if (settings.open) openBrowser(`${url}/`)
    return await runUntilEnd(session, server, signal)
  } finally {
    monitor.stop()
    await server?.stop()
  }
}

async function runUntilEnd(
  session: Session,
  server: DevServer | undefined,
  signal: AbortSignal,
): Promise<number> {
  const over = new AbortController()
  const exit = waitForExit(server, signal).finally(() => over.abort())
  const closers: (() => unknown)[] = []
  try {
    await connectAndWatch(session, closers, over.signal)
    const reason = await exit
    if (reason === undefined) return EXIT_CODES.ok
    session.monitor.commandExited(reason)
    return EXIT_CODES.failed
  } finally {
    over.abort()
    for (const close of closers.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- in the reverse order of their start
      await close()
    }
  }
}

/**
 * If another server already used the port, the command could not listen, and the
 * emulator would connect to the wrong server.
 */
async function assertPortIsFree(settings: DevSettings, endpoint: URL): Promise<void> {
  if (settings.command.length === 0 || !isLoopback(endpoint.hostname)) return
  if (!(await isListening(endpoint))) return
  throw usageError(
    `Port ${endpoint.port || 80} is in use, so your command cannot listen at ${settings.url}. Stop the other process, or choose another port and pass it with --url.`,
  )
}

function startServer({ settings, emulator, io, monitor }: Session): DevServer | undefined {
  if (settings.command.length === 0) return undefined
  const { cwd, env, color } = io
  return startDevServer(settings.command, {
    cwd,
    env: {
      ...env,
      SIDECARD_API_URL: emulator.url,
      SIDECARD_API_TOKEN: emulator.accessToken,
      [DEV_VARIABLE]: '1',
      // The output goes through a pipe, so the command cannot detect that there is a terminal.
      ...(color && !env['FORCE_COLOR'] && { FORCE_COLOR: '1' }),
    },
    onOutput: (chunk) => {
      io[chunk.stream].write(chunk.text)
      monitor.append(chunk)
    },
  })
}

/**
 * Resolves with the reason why the server exited, or `undefined` if the user
 * stopped it or the session.
 */
function waitForExit(
  server: DevServer | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  if (signal.aborted) resolve(undefined)
  signal.addEventListener('abort', () => resolve(undefined), { once: true })
  void server?.ended.then(resolve)
  return promise
}

/** Connects the app and starts watching. Adds functions to `closers` that undo both. */
async function connectAndWatch(
  session: Session,
  closers: (() => unknown)[],
  signal: AbortSignal,
): Promise<void> {
  const { settings, io, endpoint, emulator, requests, monitor } = session
  const { hintAfterMs = 5_000 } = settings
  if (!(await waitForEndpoint(endpoint, hintAfterMs, signal))) {
    if (signal.aborted) return
    monitor.hintThatNothingListens()
    await waitForEndpoint(endpoint, Infinity, signal)
  }
  if (signal.aborted) return
  monitor.endpointListens()
  const protection = await requireProtection(session)
  const app = await connect(session)
  report(app, io)
  if (protection !== undefined) closers.push(await openTunnelPort(session, app.id, protection))
  const reloader = createReloader({
    url: endpoint,
    requests,
    lastOutputAt: () => monitor.lastOutputAt,
    onAway: () => monitor.endpointAway(),
    async show() {
      if (await isListening(endpoint)) monitor.endpointListens()
      await protection?.recheck()
      // The change may have fixed the handshake, so an unverified app is connected again.
      if (emulator.apps.get(app.id).state === 'unverified') await emulator.apps.connect(app.id)
      const group = { id: `save_${Date.now()}`, kind: 'save' } as const
      emulator.events.emit({ type: 'source_changed', group })
    },
  })
  closers.push(() => reloader.stop())
  const stopWatching = watchSource(
    io.cwd,
    () => requests.isActive(),
    (disturbed) => {
      monitor.sourceChanged()
      reloader.sourceChanged(disturbed)
    },
  )
  closers.push(stopWatching)
}

/**
 * The result of checking whether the endpoint rejects requests without its
 * secret. It may change with the source.
 */
interface Protection {
  isProtected: boolean
  recheck(): Promise<void>
}

/**
 * @throws {SidecardError} `usage` if a tunnel is requested and the endpoint accepts unauthenticated requests
 */
async function requireProtection({
  settings,
  io,
  endpoint,
}: Session): Promise<Protection | undefined> {
  if (settings.proxyPort === undefined) return undefined
  const { fetch } = createTransport(io.env)
  const check = () => rejectsWithoutSecret(endpoint, Object.keys(settings.headers), fetch)
  if (!(await check())) {
    throw usageError(
      '--proxy-port: the endpoint responds without its secret, so anyone with the tunnel URL could read customer data. Require the secret first (auth: secretHeader(…)).',
    )
  }
  const protection = {
    isProtected: true,
    async recheck() {
      const before = protection.isProtected
      protection.isProtected = await check()
      if (before === protection.isProtected) return
      const news = protection.isProtected
        ? 'the endpoint requires its secret again: tunnel requests are forwarded'
        : 'the endpoint responds without its secret: tunnel requests are rejected'
      io.stderr.write(`sidecard dev: ${news}\n`)
    },
  }
  return protection
}

/** @returns a function that closes the port */
async function openTunnelPort(
  { settings, io, endpoint, emulator }: Session,
  appId: string,
  protection: Protection,
): Promise<() => Promise<void>> {
  const proxy = await startTunnelProxy({
    port: settings.proxyPort ?? 0,
    endpoint,
    // These requests are not tracked, because the reloader must not attribute them to the
    // workspace.
    fetch: createTransport(io.env).fetch,
    isProtected: () => protection.isProtected,
    onRequest: (request) => {
      const { pathname = request.url } = URL.parse(request.url) ?? {}
      const status = request.response?.status ?? 'no response'
      const print = () => {
        const what = `${escapeForDisplay(request.method)} ${escapeForDisplay(pathname)}`
        io.stderr.write(`sidecard dev: tunnel request: ${what} (${status})\n`)
      }
      void emulator.exchanges.record({ appId, ...request }).then(
        // The inspector does not show a request that is neither a handshake nor a data fetch.
        (summary) => summary === null && print(),
        // The app was deleted.
        print,
      )
    },
  })
  printLine(io, `${io.palette.bold('Tunnel to')}  ${io.palette.cyan(proxy.url)}`)
  return () => proxy.close()
}

/** Connects the app with this URL. A database may already contain it from an earlier run. */
async function connect({ settings, endpoint, emulator }: Session): Promise<AppView> {
  const { headers, name } = settings
  const { apps } = emulator
  const known = apps.list().find(({ url }) => url === endpoint.href)
  if (known === undefined) return apps.create({ name, url: endpoint.href, headers })
  const updated = await apps.update(known.id, { headers })
  return updated.state === 'connected' ? updated : apps.connect(known.id)
}

function report({ name, url, lastHandshake, state }: AppView, io: CliContext): void {
  const result = lastHandshake?.result
  if (result === undefined || result.ok) {
    printLine(io, `${io.palette.green(state)}  ${name} at ${url}`)
    return
  }
  printLine(io, `${io.palette.red(state)}  ${name} at ${url}: ${result.message}`)
  printLine(io, `            ${result.fix}`)
}

function printLine(io: CliContext, line: string): void {
  io.stdout.write(`${line}\n`)
}
