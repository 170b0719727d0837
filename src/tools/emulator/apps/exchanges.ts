import { SidecardError } from '../../../runtime/internal/errors.ts'
import {
  anything,
  flag,
  number,
  readOptions,
  record,
  required,
  string,
  strings,
  text,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import {
  type ExchangeSummary,
  type ExchangeView,
  type PayloadShape,
  type SaveInput,
  type SaveResult,
  type SaveStateInput,
} from '../protocol/exchanges.ts'
import type { EmulatorConsole } from '../core/console.ts'
import { type EmulatorContext, requireFolder } from '../core/context.ts'
import { readIds } from './read-logged.ts'
import type { AppCalls } from './app-calls.ts'
import { type LoggedExchange, toExchangeSummary, toExchangeView } from '../core/exchange-log.ts'
import type { LiveExchange } from '../core/live.ts'
import { saveExchange, toShapeOf } from './saved-files.ts'
import { findOwnTexts } from './own-texts.ts'
import { toProjectEntries } from './project-entries.ts'

const SAVE_STATE_KINDS = { name: required(text), shows: withDefault(strings, []) }
const SAVE_KINDS = {
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
  console: EmulatorConsole,
) {
  const { log, store } = context

  function find(id: string): LoggedExchange {
    const logged = log.get(id)
    if (logged !== undefined) return logged
    throw new SidecardError('not_found', 'This request is no longer in the log.')
  }

  return {
    /** The newest 1,000 requests, newest first. */
    list: (): readonly ExchangeSummary[] => log.list().map(toExchangeSummary),
    /** @throws {SidecardError} `not_found` */
    get: (exchangeId: string): ExchangeView => toExchangeView(find(exchangeId), console.list()),
    clear: (): void => log.clear(),
    /**
     * Logs a request of the real service that a proxy forwarded; its response is validated like any other.
     * Returns null for a request that is neither a handshake nor a data fetch, which is not logged.
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
      return recorded?.summary ?? null
    },
    /** Sends a request again, with the current headers of the app. @throws {SidecardError} `not_found` */
    async replay(exchangeId: string): Promise<ExchangeView> {
      const logged = find(exchangeId)
      const { kind, parameters, issueId, widgetId, customer, state, sections } = logged
      const { isCustom, group } = logged
      if (kind === 'action') {
        const message = 'An action page cannot be replayed. Open it with its button.'
        throw new SidecardError('not_saveable', message)
      }
      const app = store.find('app', logged.appId)
      const as = { customer, state, sections, isCustom }
      const purpose = { ...as, issueId, widgetId, group, replayOf: exchangeId }
      const call =
        kind === 'verify'
          ? await calls.verify({ app, purpose }, new Map(parameters).get('code') ?? '')
          : await calls.fetchData({ app, purpose }, readIds(parameters))
      return toExchangeView(call.logged, console.list())
    },
    /**
     * Saves a data fetch as a fixture, in `test/fixtures` of the project.
     *
     * @throws {SidecardError} `invalid_options`, `not_found`, `no_project`, `not_saveable`, `invalid_name`, `file_exists`, `cannot_write`
     */
    async save(exchangeId: string, options: SaveInput = {}): Promise<SaveResult> {
      const { name, anonymize } = readOptions('emulator.exchanges.save', options, SAVE_KINDS)
      return saveExchange(find(exchangeId), log.list(), { name, anonymize }, requireFolder(context))
    },
    /**
     * Returns the payload of a data fetch with replaced texts, IDs and dates.
     *
     * @throws {SidecardError} `not_found`, `not_saveable`
     */
    shape(exchangeId: string): PayloadShape {
      const { body, replaced, kept } = toShapeOf(find(exchangeId), log.list())
      return { payload: body, replaced, kept }
    },
    /** Returns the texts of a payload that no other customer's payload in the log contains. @throws {SidecardError} `not_found` */
    ownTexts: (exchangeId: string) => findOwnTexts(find(exchangeId), log.list()),
    /**
     * Saves the customer and the conditions of a data fetch in `sidecard.local.json`.
     * If the project does not have the customer, it is saved as a new one.
     *
     * @throws {SidecardError} `invalid_options`, `not_found`, `no_project`, `not_saveable`, `invalid_project`
     */
    async saveState(exchangeId: string, options: SaveStateInput): Promise<void> {
      const input = readOptions('emulator.exchanges.saveState', options, SAVE_STATE_KINDS)
      const entries = toProjectEntries(find(exchangeId), input, context.project)
      if (context.saveToProject === undefined) {
        const message = 'The emulator cannot write sidecard.local.json. Start it with sidecard dev.'
        throw new SidecardError('no_project', message)
      }
      context.project.set(await context.saveToProject(entries))
    },
  }
}
