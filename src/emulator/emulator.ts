import { randomCode } from '../desk/codes.ts'
import { DEFAULT_TIMEOUT_MS } from '../desk/exchange.ts'
import { SidecardError } from '../errors.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createFaultEngine, NO_FAULTS } from './faults/engine.ts'
import { ConnectionReset, CutOff, cutOffResponse } from './faults/damage.ts'
import { createHandler } from './handler.ts'
import { createApps, type EmulatorApps } from './host/apps.ts'
import { createExchangeLog, type RecordedExchange, viewOf } from './host/exchange-log.ts'
import { createHost } from './host/host.ts'
import { createIssues, type EmulatorIssues } from './host/issues.ts'
import { createIds } from './ids.ts'
import { listen, type Listening } from './listener/listen.ts'
import type { EmulatorOptions, ListenOptions } from './options.ts'
import { realPause } from './pause.ts'
import type { ExchangeView, FaultSettings, SeedName } from './protocol.ts'
import { documentsOf, KINDS } from './seed/documents.ts'
import { seedOf } from './seed/seeds.ts'
import { type ApiRequest, createRequestLog } from './service/request-log.ts'
import { openStore, type StoredDocument } from './store/store.ts'
import { workspaceState } from './workspace-state.ts'

/** Everything that an emulator holds at one moment; for `restore`. */
export interface Snapshot {
  readonly documents: readonly StoredDocument[]
}

/** The service on your own machine. */
export interface Emulator {
  /** The base address of the API, which is also that of the workspace. Before `listen` it is a name for `fetch` alone. */
  readonly url: string
  /** The bearer token of the API. */
  readonly accessToken: string
  /** Answers a request in process, without a port: give it to a client as its `fetch`. */
  readonly fetch: typeof globalThis.fetch
  readonly apps: EmulatorApps
  readonly issues: EmulatorIssues
  /** The last requests to the API, oldest first. */
  readonly requests: readonly ApiRequest[]
  /** The last requests to the apps, newest first, in full. */
  exchanges(): readonly ExchangeView[]
  /** The faults that are on; assign to change them. */
  faults: FaultSettings
  readonly events: EventHub
  /** As it was when it was made: the seed's data, no apps, no faults, empty logs. */
  reset(options?: { readonly seed?: SeedName; readonly keepApps?: boolean }): void
  snapshot(): Snapshot
  /** Takes the data back that a snapshot holds, the apps included. */
  restore(snapshot: Snapshot): void
  /**
   * Listens for HTTP.
   *
   * @throws {SidecardError} `port_in_use`, `already_listening`, `cannot_listen`
   */
  listen(options?: ListenOptions): Promise<Listening>
  /** Ends everything; a second time does nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The address in process: on this machine, so that a client sends its token there over http. */
const IN_PROCESS_URL = 'http://localhost'

/**
 * Makes an emulator of the service: its API over an embedded database, and its
 * side of the custom apps. It listens nowhere until it is told to.
 *
 * @example
 * await using emulator = createEmulator()
 * const client = createClient({ baseUrl: emulator.url, accessToken: emulator.accessToken, fetch: emulator.fetch })
 *
 * @throws {SidecardError} `database_locked`, `database_corrupt`, `database_foreign`, `database_newer` or `database_unusable`
 * @see docs/emulator.md
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { database = ':memory:', strict = false, now = Date.now, pause = realPause } = options
  const { timeoutMs = DEFAULT_TIMEOUT_MS, codes = randomCode } = options
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const store = openStore(database)
  let seed: SeedName = options.seed ?? 'default'
  if (store.setting('seed') === undefined) fill(seed)
  else seed = store.setting('seed') as SeedName

  const { newId, randomToken } = createIds()
  const accessToken = options.accessToken ?? `sidecard_${randomToken()}`
  const events = createEventHub()
  const faults = createFaultEngine()
  const requests = createRequestLog()
  const exchanges = createExchangeLog((exchange) => events.emit({ type: 'exchange', exchange }))
  const changed = () => events.emit({ type: 'state' })
  const replaced = () => events.emit({ type: 'replaced' })
  const host = createHost({
    store,
    faults,
    pause,
    now,
    newId,
    newCode: codes,
    timeoutMs,
    send,
    exchanges,
    changed,
  })
  const { apps, record, records } = createApps({ store, host, newId, timeoutMs, send, changed })
  const issues = createIssues({ store, host, apps: records })
  let listening: Listening | undefined
  let closed = false

  const reset: Emulator['reset'] = ({ seed: wanted = seed, keepApps = false } = {}) => {
    seed = wanted
    if (!keepApps) for (const { id } of records()) host.forget(id)
    fill(seed, keepApps)
    faults.set(NO_FAULTS)
    requests.clear()
    exchanges.clear()
    replaced()
  }

  const token = randomToken()
  const handler = createHandler({
    url: () => listening?.url ?? IN_PROCESS_URL,
    hosts: () => listening?.hosts ?? new Set([new URL(IN_PROCESS_URL).host]),
    api: {
      store,
      now,
      newId,
      accessToken,
      strict,
      faults,
      pause,
      log: requests,
      issueChanged: (issueId) => events.emit({ type: 'issue', issueId }),
    },
    control: {
      token,
      apps,
      issues,
      exchanges,
      faults,
      events,
      state: () =>
        workspaceState({
          url: listening?.url ?? IN_PROCESS_URL,
          accessToken,
          strict,
          seed,
          issues: issues.list(),
          apps: apps.list(),
          faults: faults.settings,
        }),
      replay: (recorded: RecordedExchange) => host.replay(recorded, record(recorded.appId)),
      reset: ({ seed: wanted = seed }) => reset({ seed: wanted, keepApps: true }),
    },
  })

  function fill(name: SeedName, keepApps = false): void {
    store.replace(documentsOf(seedOf(name)), keepApps ? [KINDS.app] : [])
    store.setSetting('seed', name)
  }

  const emulator: Emulator = {
    get url() {
      return listening?.url ?? IN_PROCESS_URL
    },
    accessToken,
    async fetch(input, init) {
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      try {
        return await handler(request)
      } catch (error) {
        if (error instanceof CutOff) return cutOffResponse(error)
        if (!(error instanceof ConnectionReset)) throw error
        // What `fetch` itself throws when a connection breaks.
        throw new TypeError('fetch failed', { cause: error })
      }
    },
    apps,
    issues,
    get requests() {
      return requests.entries
    },
    exchanges: () =>
      exchanges.list().flatMap(({ id }) => {
        const recorded = exchanges.get(id)
        return recorded === undefined ? [] : [viewOf(recorded)]
      }),
    get faults() {
      return faults.settings
    },
    set faults(settings) {
      faults.set(settings)
      changed()
    },
    events,
    reset,
    snapshot: () => ({ documents: store.dump() }),
    restore({ documents }) {
      store.replace(documents)
      host.forgetConnections()
      replaced()
    },
    async listen(where = {}) {
      if (listening !== undefined || closed) {
        throw new SidecardError('already_listening', 'This emulator listens already, or is closed.')
      }
      listening = await listen(handler, where)
      return listening
    },
    async close() {
      if (closed) return
      closed = true
      await listening?.close()
      store.close()
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  }
  return emulator
}
