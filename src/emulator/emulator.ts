import {
  flag,
  isRecord,
  listOf,
  oneOf,
  readOptions,
  required,
  withDefault,
} from '../internal/read-options.ts'
import { createRedactor } from '../internal/create-redactor.ts'
import { secretsOf } from '../service/credentials.ts'
import { type FetchTarget, resolveTarget } from '../service/target.ts'
import { SidecardError } from '../internal/errors.ts'
import { createConsole, type EmulatorConsole } from './console.ts'
import { createData } from './data.ts'
import { DATASET_NAMES } from './dataset/datasets.ts'
import { createDevServerStatus, type EmulatorDevServer } from './dev-server.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createFaultEngine, type EmulatorFaults } from './faults/engine.ts'
import { fetchInProcess } from './fetch-in-process.ts'
import { createHandler } from './handler.ts'
import { createAppCalls } from './host/app-calls.ts'
import { createAppConnector } from './host/app-connector.ts'
import { createApps, type EmulatorApps } from './host/apps.ts'
import { createExchangeLog } from './host/exchange-log.ts'
import { createExchanges, type EmulatorExchanges } from './host/exchanges.ts'
import { createIssues, type EmulatorIssues } from './host/issues.ts'
import { createIds } from './ids.ts'
import { listen, type Listener } from './listener/listen.ts'
import {
  type EmulatorOptions,
  LISTEN_KINDS,
  type ListenOptions,
  readEmulatorOptions,
} from './options.ts'
import { createPresets, type EmulatorPresets } from './presets.ts'
import type { DatasetName, ResetOptions } from './protocol/workspace.ts'
import { createRequestLog, type EmulatorRequests } from './api/request-log.ts'
import { createStackMapper } from './store/map-stack.ts'
import { openProject } from './store/project-files.ts'
import { openSources } from './store/source-files.ts'
import type { StoredDocument } from './store/store.ts'
import { workspaceState } from './workspace-state.ts'

/** The data of an emulator at one point in time, for `restore()`. */
export interface Snapshot {
  readonly documents: readonly StoredDocument[]
}

/** Options for `reset()` of an emulator. */
export interface EmulatorResetOptions extends ResetOptions {
  /** Keeps the apps and their endpoints. @default false */
  readonly keepApps?: boolean
}

const RESET_KINDS = {
  dataset: oneOf<DatasetName>(...DATASET_NAMES, 'custom'),
  keepApps: withDefault(flag, false),
}

const SNAPSHOT_KINDS = { documents: required(listOf<StoredDocument>('an array', isRecord)) }

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
  /** Named IDs that replace those of an issue. */
  readonly presets: EmulatorPresets
  /** The output of the dev server. */
  readonly console: EmulatorConsole
  /** The status of the dev server, for the workspace. @internal */
  readonly devServer: EmulatorDevServer
  /** The events that the workspace receives. @internal */
  readonly events: EventHub
  /**
   * Restores the initial state: the data set, no apps, no faults, empty logs.
   *
   * @throws {SidecardError} `invalid_options`, `unknown_dataset`
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

/**
 * Creates an emulator of the service: its API on an embedded database, and its
 * side of the custom apps. No port is opened until you call `listen()`.
 *
 * @example
 * await using emulator = createEmulator()
 * const client = createClient({ baseUrl: emulator.url, accessToken: emulator.accessToken, fetch: emulator.fetch })
 *
 * @throws {SidecardError} `invalid_options`, `invalid_dataset`, `database_locked`, `database_corrupt`, `database_foreign`, `database_newer` or `database_unusable`
 * @see docs/emulator.md
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const settings = readEmulatorOptions(options)
  const { strict, now, sleep, projectDir, timeoutMs, codes, fetch: send } = settings
  const { newId, randomToken } = createIds()
  const accessToken = settings.accessToken ?? `sidecard_${randomToken()}`
  const events = createEventHub()
  const changed = () => events.emit({ type: 'state' })

  const presets = createPresets(changed)
  const data = createData(settings, presets)
  const { store } = data
  const faults = createFaultEngine(changed)
  const devServer = createDevServerStatus(changed)
  const requests = createRequestLog()
  const log = createExchangeLog((exchange) => events.emit({ type: 'exchange', exchange }))
  const project = projectDir === undefined ? undefined : openProject(projectDir)
  const targets = new Map<string, FetchTarget>()
  const calls = createAppCalls({
    faults,
    sleep,
    now,
    newId,
    timeoutMs,
    mapStack: createStackMapper(projectDir),
    exchanges: log,
    sendTo: (appId) => {
      const target = targets.get(appId)
      return target === undefined ? send : resolveTarget(target).send
    },
  })
  const connector = createAppConnector({
    store,
    calls,
    now,
    newId,
    newCode: codes,
    isLogPaused: () => log.paused,
    changed,
  })
  const { apps, records, isChecking } = createApps({
    store,
    connector,
    targets,
    now,
    newId,
    timeoutMs,
    send,
    changed,
  })
  const issues = createIssues({
    store,
    connector,
    presets,
    newId,
    apps: records,
    organization: () => data.organization(),
  })
  const console = createConsole({
    now,
    isChecking,
    createRedact: () => createRedactor(records().flatMap((app) => secretsOf(app.headers))),
    onAppend: (entries) => events.emit({ type: 'console', entries }),
    onClear: () => events.emit({ type: 'console_cleared' }),
  })
  const exchanges = createExchanges({
    log,
    calls,
    connector,
    newId,
    project,
    apps: records,
    console: () => console.list(),
    onClear: () => events.emit({ type: 'exchanges_cleared' }),
    onPause: changed,
  })
  let listener: Listener | undefined
  let closed = false
  const url = () => listener?.url ?? IN_PROCESS_URL

  const reset: Emulator['reset'] = (resetOptions = {}) => {
    const { dataset, keepApps } = readOptions('emulator.reset', resetOptions, RESET_KINDS)
    data.reset(dataset, keepApps)
    if (!keepApps) targets.clear()
    connector.forgetConnections()
    faults.clear()
    requests.clear()
    log.clear()
    console.clear()
    events.emit({ type: 'reset' })
  }

  const handler = createHandler({
    url,
    hosts: () => listener?.hosts ?? new Set([new URL(IN_PROCESS_URL).host]),
    api: {
      store,
      now,
      newId,
      accessToken,
      strict,
      faults,
      sleep,
      log: requests,
      issueChanged: (issueId) => events.emit({ type: 'issue', issueId }),
    },
    control: {
      token: randomToken(),
      apps,
      issues,
      exchanges,
      console,
      faults,
      events,
      sources: projectDir === undefined ? undefined : openSources(projectDir),
      state: () =>
        workspaceState({
          url: url(),
          accessToken,
          strict,
          timeoutMs,
          organization: data.organization(),
          dataset: data.current(),
          datasets: data.available,
          presets: presets.list(),
          project: project === undefined ? null : { directory: project.directory },
          devServer: devServer.current,
          isLogPaused: log.paused,
          issues: issues.list(),
          apps: apps.list(),
          faults: faults.settings,
        }),
      reset: (options) => reset({ ...options, keepApps: true }),
    },
  })

  const emulator: Emulator = {
    get url() {
      return url()
    },
    accessToken,
    fetch: fetchInProcess(handler),
    apps,
    issues,
    requests,
    exchanges,
    faults,
    presets,
    console,
    devServer,
    events,
    reset,
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
  return emulator
}
