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
import {
  type ExchangeSummary,
  type ExchangeView,
  type ExportInput,
  type ImportResult,
  MAX_EXCHANGES,
  type ReplayInput,
  type SaveInput,
  type SaveResult,
} from '../protocol/exchanges.ts'
import type { EmulatorConsole } from '../console.ts'
import { type EmulatorContext, requireProject } from '../context.ts'
import { readIds } from './anonymize-exchange.ts'
import type { AppCalls } from './app-calls.ts'
import type { AppConnector } from './app-connector.ts'
import type { AppRecord } from './app-record.ts'
import { type LoggedExchange, toExchangeSummary, toExchangeView } from './exchange-log.ts'
import { exportHar } from './har.ts'
import { importHar } from './import-har.ts'
import type { LiveExchange } from './live.ts'
import { saveExchange } from './saved-files.ts'
import { findScenario } from './scenarios.ts'

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
export interface EmulatorExchanges extends ReturnType<typeof createExchanges> {}

/** Creates the requests of an emulator. */
export function createExchanges(
  context: EmulatorContext,
  calls: AppCalls,
  connector: AppConnector,
  console: EmulatorConsole,
) {
  const { log, changed, store } = context
  /** Live requests that are neither handshakes nor data fetches. Only the HAR export contains them. */
  let others: readonly LiveExchange[] = []

  function find(id: string): LoggedExchange {
    const logged = log.get(id)
    if (logged !== undefined) return logged
    throw new SidecardError('not_found', 'This request is no longer in the log.')
  }

  /** Returns the connected app that receives an imported request. */
  function chooseApp(appId: string | undefined): AppRecord {
    if (appId !== undefined) {
      const app = store.find('app', appId)
      if (connector.isConnected(app)) return app
      throw new SidecardError('not_connected', `${app.name} is not connected. Connect it first.`)
    }
    const [app, ...others] = store.all('app').filter((record) => connector.isConnected(record))
    if (app !== undefined && others.length === 0) return app
    throw app === undefined
      ? new SidecardError('not_connected', 'No app is connected. Connect one first.')
      : new SidecardError('app_required', 'Several apps are connected. Choose one.')
  }

  return {
    /** The newest 1,000 requests, newest first. */
    list: (): readonly ExchangeSummary[] => log.list().map(toExchangeSummary),
    /** @throws {SidecardError} `not_found` */
    get: (exchangeId: string): ExchangeView => toExchangeView(find(exchangeId), console.list()),
    /** While it is true, requests are sent but not stored. */
    get paused() {
      return log.paused
    },
    set paused(paused) {
      log.paused = paused
      changed()
    },
    clear(): void {
      log.clear()
      others = []
    },
    /**
     * Logs a request of the real service that a proxy forwarded; its response is validated like any other.
     * Returns null for a request that is neither a handshake nor a data fetch: only the HAR export contains it.
     *
     * @throws {SidecardError} `invalid_options`, `not_found` for an unknown app, `invalid_exchange` for an invalid URL
     */
    async record(exchange: LiveExchange): Promise<ExchangeSummary | null> {
      const live = readOptions('emulator.exchanges.record', exchange, LIVE_KINDS)
      const app = store.find('app', live.appId)
      if (!URL.canParse(live.url)) {
        const message = 'emulator.exchanges.record: the URL is invalid.'
        throw new SidecardError('invalid_exchange', message)
      }
      const recorded = await calls.record(app, live, 'live')
      if (recorded !== null) return recorded.summary
      const { response, ...request } = live
      const head = response && { ...response, body: new Uint8Array() }
      if (!log.paused) others = [...others.slice(1 - MAX_EXCHANGES), { ...request, response: head }]
      return null
    },
    /**
     * Sends a request again, with the current headers of the app. An imported
     * request goes to a connected app only.
     *
     * @throws {SidecardError} `invalid_options`, `not_found`, `not_connected`, `app_required`
     */
    async replay(exchangeId: string, options: ReplayInput = {}): Promise<ExchangeView> {
      const { appId } = readOptions('emulator.exchanges.replay', options, REPLAY_KINDS)
      const logged = find(exchangeId)
      const { kind, parameters, source, scenario, issueId, widgetId } = logged
      const { presetId, hasCustomIds, group } = logged
      const app = source === 'imported' ? chooseApp(appId) : store.find('app', logged.appId ?? '')
      const ids = { issueId, widgetId, scenario, presetId, hasCustomIds }
      const purpose = { ...ids, group, replayOf: exchangeId }
      const { readDelayMs } = findScenario(scenario) ?? {}
      const call =
        kind === 'verify'
          ? await calls.verify({ app, purpose }, new Map(parameters).get('code') ?? '')
          : await calls.fetchData({ app, purpose, readDelayMs }, readIds(parameters))
      return toExchangeView(call.logged, console.list())
    },
    /** Exports requests as a HAR 1.2 document, anonymized unless `anonymize` is false. @throws {SidecardError} `invalid_options` */
    async exportHar(options: ExportInput = {}): Promise<object> {
      const { ids, anonymize } = readOptions('emulator.exchanges.exportHar', options, EXPORT_KINDS)
      const chosen = ids === undefined ? undefined : new Set(ids.map(find))
      const ordered = log
        .list()
        .toReversed()
        .filter((logged) => chosen?.has(logged) ?? true)
        .toSorted((left, right) => left.at.localeCompare(right.at))
      return exportHar(ordered, ids === undefined ? others : [], { anonymize })
    },
    /** Imports the service's requests from a HAR 1.2 document. @throws {SidecardError} `invalid_har` */
    importHar: (har: unknown): Promise<ImportResult> => importHar(har, calls),
    /**
     * Saves a data fetch as a fixture, or as a fixture and a test, in `test/` of the project.
     *
     * @throws {SidecardError} `invalid_options`, `not_found`, `no_project`, `not_saveable`, `invalid_name`, `file_exists`, `cannot_write`
     */
    async save(exchangeId: string, options: SaveInput): Promise<SaveResult> {
      const input = readOptions('emulator.exchanges.save', options, SAVE_KINDS)
      return saveExchange(find(exchangeId), input, requireProject(context))
    },
  }
}
