import type { Report } from '../../check/report.ts'
import { check } from '../../check/check.ts'
import type { FetchDataIds } from '../../service/query.ts'
import { type FetchTarget, IN_PROCESS_URL } from '../../service/target.ts'
import {
  hasMethods,
  isRecord,
  kind,
  readOptions,
  record,
  string,
  headerRecord,
  strings,
  withDefault,
} from '../../internal/read-options.ts'
import type { AppUpdate, AppInput, AppView } from '../protocol/workspace.ts'
import { type EmulatorContext, findApp } from '../context.ts'
import { type AppRecord, applyAppUpdate, newApp } from './app-record.ts'
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

/** Options for checking an app. */
export interface AppCheckOptions {
  /** IDs of a customer that the endpoint knows. IDs that are missing are made up. @default {} */
  readonly params?: FetchDataIds
}

const CHECK_KINDS = { params: withDefault<FetchDataIds>(record, {}) }

/** The custom apps of an emulator. */
export interface EmulatorApps {
  list(): readonly AppView[]
  /** @throws {SidecardError} `not_found` */
  get(appId: string): AppView
  /**
   * Creates an app and performs the handshake. See `state` and `lastHandshake` for the result.
   *
   * @throws {SidecardError} `invalid_options`, `invalid_app`
   */
  create(input: EmulatorAppInput): Promise<AppView>
  /**
   * Updates an app. If the URL or the headers change, the connection ends and
   * another handshake starts.
   *
   * @throws {SidecardError} `invalid_options`, `invalid_app`, `not_found`
   */
  update(appId: string, change: AppUpdate): Promise<AppView>
  /** @throws {SidecardError} `not_found` */
  remove(appId: string): void
  /** Performs another handshake (Retry Connection). @throws {SidecardError} `not_found` */
  connect(appId: string): Promise<AppView>
  /** @throws {SidecardError} `not_found` */
  disconnect(appId: string): AppView
  /**
   * Checks the endpoint with the app's headers.
   *
   * @throws {SidecardError} `not_found`, `invalid_options`
   */
  check(appId: string, options?: AppCheckOptions): Promise<Report>
}

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

const OUTPUT_DELAY_MS = 500

/** Creates the apps of an emulator. */
export function createApps(context: EmulatorContext, connector: AppConnector) {
  const { store, targets, newId, timeoutMs, changed, now } = context
  let running = 0
  let endedAt = -Infinity

  const findRecord = (appId: string) => findApp(context, appId)
  const save = (app: AppRecord) => {
    store.put('app', app.id, app)
    changed()
  }

  const apps: EmulatorApps = {
    list: () => store.all('app').map((app) => connector.view(app)),
    get: (appId) => connector.view(findRecord(appId)),
    async create(input) {
      const { target, ...fields } = readOptions('emulator.apps.create', input, APP_KINDS)
      const { url = target === undefined ? '' : IN_PROCESS_URL } = fields
      const app = newApp({ ...fields, url }, newId)
      if (target !== undefined) targets.set(app.id, target)
      save(app)
      await connector.connect(app)
      return connector.view(findRecord(app.id))
    },
    async update(appId, given) {
      const before = findRecord(appId)
      const change = readOptions('emulator.apps.update', given, UPDATE_KINDS)
      const after = applyAppUpdate(before, change, newId)
      save(after)
      const endpointChanged =
        after.url !== before.url || JSON.stringify(after.headers) !== JSON.stringify(before.headers)
      if (endpointChanged) {
        connector.disconnect(after)
        await connector.connect(findRecord(appId))
      }
      return connector.view(findRecord(appId))
    },
    remove(appId) {
      findRecord(appId)
      store.remove('app', appId)
      connector.forget(appId)
      targets.delete(appId)
      changed()
    },
    async connect(appId) {
      await connector.connect(findRecord(appId))
      return connector.view(findRecord(appId))
    },
    disconnect(appId) {
      connector.disconnect(findRecord(appId))
      return connector.view(findRecord(appId))
    },
    async check(appId, given = {}) {
      const { params } = readOptions('emulator.apps.check', given, CHECK_KINDS)
      const { url, headers } = findRecord(appId)
      const target = targets.get(appId)
      running += 1
      try {
        return await (target === undefined
          ? check(url, { params, headers, timeoutMs, fetch: context.fetch })
          : check(target, { params, url, headers, timeoutMs }))
      } finally {
        running -= 1
        endedAt = now()
      }
    },
  }
  /** Whether output may belong to a check. The last lines arrive after its last response. */
  const isChecking = () => running > 0 || now() - endedAt < OUTPUT_DELAY_MS
  return { apps, isChecking }
}
