import { SidecardError } from '../../internal/errors.ts'
import {
  anything,
  flag,
  number,
  oneOf,
  readOptions,
  record,
  required,
  string,
  strings,
  withDefault,
} from '../../internal/read-options.ts'
import type {
  ConsoleEntry,
  ExchangeSummary,
  ExchangeView,
  ImportResult,
  ReplayInput,
  SaveInput,
  SaveResult,
} from '../protocol/exchanges.ts'
import type { ProjectFiles } from '../store/project-files.ts'
import { readIds } from './anonymize-exchange.ts'
import type { AppCalls } from './app-calls.ts'
import type { AppConnector } from './app-connector.ts'
import type { AppRecord } from './app-record.ts'
import {
  type ExchangeLog,
  type LoggedExchange,
  toExchangeSummary,
  toExchangeView,
} from './exchange-log.ts'
import { exportHar } from './har.ts'
import { importHar } from './import-har.ts'
import type { LiveExchange } from './live.ts'
import { createOtherRequests } from './other-requests.ts'
import { buildSavedFiles } from './saved-files.ts'
import { findScenario } from './scenarios.ts'

/** Options for `exportHar()`. */
export interface ExportOptions {
  /** The IDs of the requests to export. @default all */
  readonly ids?: readonly string[]
  /** Replaces personal data with placeholders. @default true */
  readonly anonymize?: boolean
}

const EXPORT_KINDS = { ids: strings, anonymize: withDefault(flag, true) }
const REPLAY_KINDS = { appId: string }
const SAVE_KINDS = {
  as: required(oneOf('fixture', 'test')),
  name: string,
  anonymize: withDefault(flag, true),
}
const LIVE_KINDS = {
  appId: required(string),
  method: string,
  url: required(string),
  receivedHeaderNames: strings,
  startedAt: required(number),
  durationMs: required(number),
  response: record,
  error: anything,
  abortedAfterMs: number,
}

/** The requests to the apps. */
export interface EmulatorExchanges {
  /** The newest 1,000 requests, newest first. */
  list(): readonly ExchangeSummary[]
  /** @throws {SidecardError} `not_found` */
  get(exchangeId: string): ExchangeView
  /** While it is true, requests are sent but not stored. */
  paused: boolean
  clear(): void
  /**
   * Logs a request of the real service that a proxy forwarded; its response is validated like any other.
   * Returns null for a request that is neither a handshake nor a data fetch: only the HAR export contains it.
   *
   * @throws {SidecardError} `invalid_options`, `not_found` for an unknown app, `invalid_exchange` for an invalid URL
   */
  record(live: LiveExchange): Promise<ExchangeSummary | null>
  /**
   * Sends a request again, with the current headers of the app. An imported
   * request goes to a connected app only.
   *
   * @throws {SidecardError} `invalid_options`, `not_found`, `not_connected`, `app_required`
   */
  replay(exchangeId: string, options?: ReplayInput): Promise<ExchangeView>
  /** Exports requests as a HAR 1.2 document, anonymized unless `anonymize` is false. @throws {SidecardError} `invalid_options` */
  exportHar(options?: ExportOptions): Promise<object>
  /** Imports the service's requests from a HAR 1.2 document. @throws {SidecardError} `invalid_har` */
  importHar(har: unknown): Promise<ImportResult>
  /**
   * Saves a data fetch as a fixture, or as a fixture and a test, in `test/` of the project.
   *
   * @throws {SidecardError} `invalid_options`, `not_found`, `no_project`, `not_saveable`, `invalid_name`, `file_exists`, `cannot_write`
   */
  save(exchangeId: string, options: SaveInput): Promise<SaveResult>
}

/** Options for `createExchanges()`. */
export interface ExchangesOptions {
  readonly log: ExchangeLog
  readonly calls: AppCalls
  readonly connector: AppConnector
  readonly newId: (prefix: string) => string
  readonly project: ProjectFiles | undefined
  readonly apps: () => readonly AppRecord[]
  readonly console: () => readonly ConsoleEntry[]
  readonly onClear: () => void
  readonly onPause: () => void
}

/** Creates the requests of an emulator. */
export function createExchanges(options: ExchangesOptions): EmulatorExchanges {
  const { log, calls, connector, newId, project } = options
  const others = createOtherRequests()

  function find(id: string): LoggedExchange {
    const logged = log.get(id)
    if (logged !== undefined) return logged
    throw new SidecardError('not_found', 'This request is no longer in the log.')
  }

  function findApp(id: string | null): AppRecord {
    const app = options.apps().find((record) => record.id === id)
    if (app !== undefined) return app
    throw new SidecardError('not_found', 'No app has this ID.')
  }

  /** Returns the connected app that receives an imported request. */
  function chooseApp(appId: string | undefined): AppRecord {
    if (appId !== undefined) {
      const app = findApp(appId)
      if (connector.isConnected(app)) return app
      throw new SidecardError('not_connected', `${app.name} is not connected. Connect it first.`)
    }
    const [app, ...others] = options.apps().filter((record) => connector.isConnected(record))
    if (app !== undefined && others.length === 0) return app
    throw app === undefined
      ? new SidecardError('not_connected', 'No app is connected. Connect one first.')
      : new SidecardError('app_required', 'Several apps are connected. Choose one.')
  }

  return {
    list: () => log.list().map(toExchangeSummary),
    get: (id) => toExchangeView(find(id), options.console()),
    get paused() {
      return log.paused
    },
    set paused(paused) {
      log.paused = paused
      options.onPause()
    },
    clear() {
      log.clear()
      others.clear()
      options.onClear()
    },
    async record(given) {
      const live = readOptions('emulator.exchanges.record', given, LIVE_KINDS)
      const app = findApp(live.appId)
      const url = URL.parse(live.url)
      if (url === null) {
        const message = 'emulator.exchanges.record: the URL is invalid.'
        throw new SidecardError('invalid_exchange', message)
      }
      const parameters = [...url.searchParams]
      const type = new Map(parameters).get('request_type')
      if (type === 'verify') {
        const code = new Map(parameters).get('code') ?? ''
        return (await calls.verify({ app, live }, code)).summary
      }
      if (type !== 'fetch_data') {
        if (!log.paused) others.add(live)
        return null
      }
      const ids = readIds(parameters)
      const context = {
        app,
        live,
        scenario: null,
        presetId: null,
        hasCustomIds: false,
        group: null,
      }
      const { issue_id: issueId = null, widget_id: widgetId = null } = ids
      return (await calls.fetchData({ ...context, issueId, widgetId }, ids)).summary
    },
    async replay(id, input = {}) {
      const { appId } = readOptions('emulator.exchanges.replay', input, REPLAY_KINDS)
      const logged = find(id)
      const app = logged.source === 'imported' ? chooseApp(appId) : findApp(logged.appId)
      const { kind, request, scenario } = logged
      const { parameters } = request
      const call =
        kind === 'verify'
          ? await calls.verify({ app, replayOf: id }, new Map(parameters).get('code') ?? '')
          : await calls.fetchData(
              { ...logged, app, scenario: findScenario(scenario) ?? null, replayOf: id },
              readIds(parameters),
            )
      return toExchangeView(call.logged, options.console())
    },
    async exportHar(input = {}) {
      const { ids, anonymize } = readOptions('emulator.exchanges.exportHar', input, EXPORT_KINDS)
      const chosen = ids === undefined ? undefined : new Set(ids.map(find))
      const ordered = log
        .list()
        .toReversed()
        .filter((logged) => chosen?.has(logged) ?? true)
        .toSorted((left, right) => left.at.localeCompare(right.at))
      return exportHar(ordered, ids === undefined ? others.list() : [], { anonymize })
    },
    async importHar(har) {
      const { exchanges, skipped } = await importHar(har, newId)
      return { imported: exchanges.map((logged) => log.add(logged)), skipped }
    },
    async save(id, given) {
      const input = readOptions('emulator.exchanges.save', given, SAVE_KINDS)
      const logged = find(id)
      if (project === undefined) {
        throw new SidecardError(
          'no_project',
          'The emulator has no project folder. Start it with sidecard dev, or pass projectDir to createEmulator().',
        )
      }
      const name = chooseName(logged, input.name, project)
      const saved = await buildSavedFiles(logged, name, input, project)
      const { files, replaced, kept, change } = saved
      project.write(files)
      return { files: files.map(({ path }) => path), replaced, kept, change }
    },
  }
}

/** Returns the given name, or an unused one that consists of the app and the outcome. */
function chooseName(
  { appName, outcome }: LoggedExchange,
  name: string | undefined,
  project: ProjectFiles,
): string {
  if (name !== undefined) {
    if (/^[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?$/i.test(name)) return name
    throw new SidecardError(
      'invalid_name',
      'The name may contain letters, digits and hyphens, at most 64. Choose another name.',
    )
  }
  const words = `${appName}-${outcome}`.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
  const stem = words.replace(/^-/, '').slice(0, 50).replace(/-$/, '')
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    const paths = [`test/fixtures/${candidate}.json`, `test/${candidate}.test.ts`]
    if (!paths.some((path) => project.has(path))) return candidate
  }
}
