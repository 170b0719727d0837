import type { Report } from '../../check/report/report.ts'
import { check } from '../../check/check.ts'
import type { FetchDataIds } from '../../service/endpoint/query.ts'
import { type FetchTarget, IN_PROCESS_URL } from '../../service/endpoint/target.ts'
import {
  hasMethods,
  isRecord,
  kind,
  readOptions,
  string,
  headerRecord,
  strings,
  withDefault,
} from '../../../runtime/internal/read-options.ts'
import type { AppUpdate, AppInput, AppView } from '../protocol/workspace.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { AppRecord } from '../store/documents.ts'
import { applyAppUpdate, newApp } from './app-record.ts'
import type { AppConnector } from './app-connector.ts'

/** A new app, on the network or in process. */
export interface EmulatorAppInput extends Omit<AppInput, 'url'> {
  /** The URL of the endpoint. @default 'http://sidecard.test/' for an in-process endpoint */
  readonly url?: string
  /**
   * An in-process endpoint: a Hono app, a Worker's default export, or any object
   * with `fetch`. It is not stored.
   */
  readonly target?: FetchTarget
}

/** Options of checking an app. */
export interface AppCheckOptions {
  /** IDs of a customer that the endpoint knows. @default the first 20 customers of the project */
  readonly params?: FetchDataIds
}

const CHECK_KINDS = { params: kind<FetchDataIds>('an object', isRecord) }

/** The custom apps of an emulator. */
export interface EmulatorApps extends Apps {}

type Apps = ReturnType<typeof createApps>['apps']

const UPDATE_KINDS = {
  name: string,
  url: string,
  headers: kind<Readonly<Record<string, string | null>>>(
    'an object of strings and null',
    (value) =>
      isRecord(value) &&
      Object.values(value).every((item) => item === null || typeof item === 'string'),
  ),
  widgets: strings,
}

const APP_KINDS = {
  ...UPDATE_KINDS,
  headers: withDefault(headerRecord, {}),
  target: kind<FetchTarget>('an object with a fetch method', (value) => hasMethods(value, 'fetch')),
}

/** The maximum number of customers of one check. */
const MAX_CUSTOMERS = 20

const OUTPUT_DELAY_MS = 500

/** Creates the apps of an emulator. */
export function createApps(context: EmulatorContext, connector: AppConnector) {
  const { store, targets, newId, timeoutMs, changed, now, events } = context
  let running = 0
  let endedAt = -Infinity

  const findRecord = (appId: string) => store.find('app', appId)
  const save = (app: AppRecord) => {
    store.put('app', app.id, app)
    changed()
  }

  const view = (appId: string): AppView => connector.view(findRecord(appId))

  const apps = {
    list: (): readonly AppView[] => store.all('app').map((app) => connector.view(app)),
    /** @throws {SidecardError} `not_found` */
    get: view,
    /**
     * Creates an app and performs the handshake. See `state` and `lastHandshake` for the result.
     *
     * @throws {SidecardError} `invalid_options`, `invalid_app`
     */
    async create(input: EmulatorAppInput): Promise<AppView> {
      const { target, ...fields } = readOptions('emulator.apps.create', input, APP_KINDS)
      const { url = target === undefined ? '' : IN_PROCESS_URL } = fields
      const app = newApp({ ...fields, url }, newId)
      if (target !== undefined) targets.set(app.id, target)
      save(app)
      return apps.connect(app.id)
    },
    /**
     * Updates an app. If the URL or the headers change, the connection ends and
     * another handshake starts.
     *
     * @throws {SidecardError} `invalid_options`, `invalid_app`, `not_found`
     */
    async update(appId: string, change: AppUpdate): Promise<AppView> {
      const before = findRecord(appId)
      const read = readOptions('emulator.apps.update', change, UPDATE_KINDS)
      const after = applyAppUpdate(before, read, newId)
      save(after)
      if (isSameEndpoint(before, after)) return view(appId)
      connector.disconnect(after)
      return apps.connect(appId)
    },
    /** @throws {SidecardError} `not_found` */
    remove(appId: string): void {
      findRecord(appId)
      store.remove('app', appId)
      connector.forget(appId)
      targets.delete(appId)
      changed()
    },
    /** Performs another handshake (Retry Connection). @throws {SidecardError} `not_found` */
    async connect(appId: string): Promise<AppView> {
      await connector.connect(findRecord(appId))
      return view(appId)
    },
    /** @throws {SidecardError} `not_found` */
    disconnect(appId: string): AppView {
      connector.disconnect(findRecord(appId))
      return view(appId)
    },
    /**
     * Checks the endpoint with the app's headers.
     *
     * @throws {SidecardError} `not_found`, `invalid_options`
     */
    async check(appId: string, options: AppCheckOptions = {}): Promise<Report> {
      const { params } = readOptions('emulator.apps.check', options, CHECK_KINDS)
      const own = context.project.customers().map(({ ids, shows }) => ({ ids, shows }))
      const customers = params === undefined ? own.slice(0, MAX_CUSTOMERS) : [{ ids: params }]
      const unknown = context.project.unknown()
      const { url, headers, name } = findRecord(appId)
      const target = targets.get(appId)
      running += 1
      try {
        const report = await (target === undefined
          ? check(url, { customers, unknown, headers, timeoutMs, fetch: context.fetch })
          : check(target, { customers, unknown, url, headers, timeoutMs }))
        const { verdict, summary, durationMs } = report
        events.emit({ type: 'checked', app: name, report: { verdict, summary, durationMs } })
        return report
      } finally {
        running -= 1
        endedAt = now()
      }
    },
  }
  /**
   * Returns whether output may belong to a check, whose last lines arrive after its
   * last response.
   */
  const isChecking = () => running > 0 || now() - endedAt < OUTPUT_DELAY_MS
  return { apps, isChecking }
}

function isSameEndpoint(left: AppRecord, right: AppRecord): boolean {
  return left.url === right.url && JSON.stringify(left.headers) === JSON.stringify(right.headers)
}
