import {
  flag,
  isRecord,
  listOf,
  readOptions,
  required,
  string,
  withDefault,
} from '../../runtime/internal/read-options.ts'
import { SidecardError } from '../../runtime/internal/errors.ts'
import { createRequestLog, type EmulatorRequests } from './api/request-log.ts'
import { createConsole, type EmulatorConsole } from './core/console.ts'
import { createContext, type EmulatorContext } from './core/context.ts'
import type { ControlledEmulator } from './control/workspace-state.ts'
import type { EventHub } from './core/events.ts'
import type { EmulatorFaults } from './faults/engine.ts'
import { type Access, createHandler, fetchInProcess } from './handler.ts'
import { logActionRequest } from './apps/action-requests.ts'
import { createAppCalls } from './apps/app-calls.ts'
import { createAppConnector } from './apps/app-connector.ts'
import { createApps, type EmulatorApps } from './apps/apps.ts'
import { createExchanges, type EmulatorExchanges } from './apps/exchanges.ts'
import { createIssues, type EmulatorIssues } from './apps/issues.ts'
import { listen, type Listener } from './listener/listen.ts'
import {
  EMULATOR_KINDS,
  type EmulatorOptions,
  LISTEN_KINDS,
  type ListenOptions,
} from './core/options.ts'
import type { EmulatorProject } from './core/project.ts'
import type { StoredDocument } from './store/store.ts'

/** The data of an emulator at one point in time, for `restore()`. */
export interface Snapshot {
  readonly documents: readonly StoredDocument[]
}

/** Options of `reset()` of an emulator. */
export interface EmulatorResetOptions {
  /** Keeps the apps and their endpoints. @default false */
  readonly keepApps?: boolean
}

const RESET_KINDS = {
  keepApps: withDefault(flag, false),
}

const isDocument = (item: unknown) =>
  isRecord(item) && [item['kind'], item['parent'], item['id']].every(string.accepts)

const SNAPSHOT_KINDS = {
  documents: required(listOf<StoredDocument>('an array of documents', isDocument)),
}

/** An emulator of the service. */
export interface Emulator {
  /** The base URL of the API and the workspace. Before `listen()`, it is only valid for `fetch`. */
  readonly url: string
  /** The bearer token of the API. */
  readonly accessToken: string
  /** Handles a request in process, without a port. Pass it to a client as its `fetch`. */
  readonly fetch: typeof globalThis.fetch
  /** The custom apps. */
  readonly apps: EmulatorApps
  /** The issues. */
  readonly issues: EmulatorIssues
  /** The requests to the API. */
  readonly requests: EmulatorRequests
  /** The requests to the apps. */
  readonly exchanges: EmulatorExchanges
  /** The injected faults. */
  readonly faults: EmulatorFaults
  /** The customers and states of the project. */
  readonly project: EmulatorProject
  /** The output of the dev server. */
  readonly console: EmulatorConsole
  /** The status of the dev server, for the workspace. @internal */
  readonly devServer: EmulatorContext['devServer']
  /** Why the project file is not in use, for the workspace. @internal */
  readonly projectProblem: EmulatorContext['projectProblem']
  /** What happened to the newest saves, for the workspace. @internal */
  readonly saves: EmulatorContext['saves']
  /** The events that the workspace receives. @internal */
  readonly events: EventHub
  /**
   * Restores the initial state: the data set, no apps, no faults, empty logs.
   *
   * @throws {SidecardError} `invalid_options`
   */
  reset(options?: EmulatorResetOptions): void
  /** Returns a copy of the current data. */
  snapshot(): Snapshot
  /** Restores the data of a snapshot, including the apps. @throws {SidecardError} `invalid_options` */
  restore(snapshot: Snapshot): void
  /**
   * Listens for HTTP.
   *
   * @throws {SidecardError} `invalid_options`, `port_in_use`, `already_listening`, `cannot_listen`
   */
  listen(options?: ListenOptions): Promise<Listener>
  /** Closes the port and the database. Calling it again does nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The URL in process. It is a loopback URL, so that clients allow http for it. */
const IN_PROCESS_URL = 'http://localhost'
const IN_PROCESS: Access = { hosts: new Set(['localhost']), token: undefined }

/**
 * Creates an emulator of the service: its API on an embedded database, and its
 * side of the custom apps. No port is opened until you call `listen()`.
 *
 * @example
 * await using emulator = createEmulator()
 * const client = createClient({ baseUrl: emulator.url, accessToken: emulator.accessToken, fetch: emulator.fetch })
 *
 * @throws {SidecardError} `invalid_options`, `invalid_project`, `invalid_dataset`, `database_locked`, `database_corrupt`, `database_foreign`, `database_newer` or `database_unusable`
 * @see docs/emulator.md
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const context = createContext(readOptions('createEmulator', options, EMULATOR_KINDS))
  const { data, store, targets, faults, project, events, devServer, saves, projectProblem } =
    context
  const calls = createAppCalls(context)
  const connector = createAppConnector(context, calls)
  const { apps, isChecking } = createApps(context, connector)
  const console = createConsole(context, isChecking, (line, at) =>
    logActionRequest(context, line, at),
  )
  const exchanges = createExchanges(context, calls, console)
  const requests = createRequestLog()
  let listener: Listener | undefined
  let closed = false

  const emulator: Emulator & ControlledEmulator = {
    get url() {
      return listener?.url ?? IN_PROCESS_URL
    },
    accessToken: context.accessToken,
    fetch: fetchInProcess((request) => handler(request)),
    apps,
    issues: createIssues(context, connector),
    requests,
    exchanges,
    faults,
    project,
    console,
    devServer,
    saves,
    projectProblem,
    events,
    reset(given = {}) {
      const { keepApps } = readOptions('emulator.reset', given, RESET_KINDS)
      data.reset(keepApps)
      if (!keepApps) targets.clear()
      connector.forgetConnections()
      faults.clear()
      requests.clear()
      exchanges.clear()
      console.clear()
      events.emit({ type: 'reset' })
    },
    snapshot: () => ({ documents: store.dump() }),
    restore(given) {
      const { documents } = readOptions('emulator.restore', given, SNAPSHOT_KINDS)
      store.replace(documents)
      connector.forgetConnections()
      events.emit({ type: 'reset' })
    },
    async listen(where = {}) {
      const address = readOptions('emulator.listen', where, LISTEN_KINDS)
      if (listener !== undefined || closed) {
        const message = 'The emulator is already listening or is closed.'
        throw new SidecardError('already_listening', message)
      }
      listener = await listen(handler, address)
      return listener
    },
    async close() {
      if (closed) return
      closed = true
      await listener?.close()
      store.close()
    },
    [Symbol.asyncDispose]: () => emulator.close(),
  }
  const handler = createHandler(context, emulator, requests, () => listener ?? IN_PROCESS)
  return emulator
}
