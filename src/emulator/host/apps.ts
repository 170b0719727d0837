import type { Report } from '../../check/report.ts'
import { check } from '../../check/check.ts'
import type { FetchTarget } from '../../desk/target.ts'
import { IN_PROCESS_URL } from '../../desk/target.ts'
import { SidecardError } from '../../errors.ts'
import type { AppChange, AppInput, AppView } from '../protocol.ts'
import { KINDS } from '../seed/documents.ts'
import type { Store } from '../store/store.ts'
import { type AppRecord, changedApp, newApp } from './app-record.ts'
import type { Host } from './host.ts'

/** An app as a test creates it: at an address, or in process. */
export interface EmulatorAppInput extends Omit<AppInput, 'url'> {
  /** The address of the endpoint. @default 'http://sidecard.test/' for one in process */
  readonly url?: string
  /** The endpoint in process: a Hono app, a Worker's default export, any object with `fetch`. Not stored. */
  readonly target?: FetchTarget
}

/** The custom apps of an emulator. */
export interface EmulatorApps {
  list(): readonly AppView[]
  /** @throws {SidecardError} `not_found` */
  get(appId: string): AppView
  /**
   * Creates an app and shakes hands with it; how that went is in `state` and `lastHandshake`.
   *
   * @throws {SidecardError} `invalid_app`
   */
  create(input: EmulatorAppInput): Promise<AppView>
  /**
   * Changes an app. Another address or other headers end the connection, and it shakes hands anew.
   *
   * @throws {SidecardError} `invalid_app`, `not_found`
   */
  update(appId: string, change: AppChange): Promise<AppView>
  /** @throws {SidecardError} `not_found` */
  remove(appId: string): void
  /** Retry Connection. @throws {SidecardError} `not_found` */
  connect(appId: string): Promise<AppView>
  /** @throws {SidecardError} `not_found` */
  disconnect(appId: string): AppView
  /** Checks the endpoint by the checker's rules. @throws {SidecardError} `not_found` */
  check(appId: string): Promise<Report>
}

/** What the apps stand on. */
export interface AppsOptions {
  readonly store: Store
  readonly host: Host
  readonly newId: (prefix: string) => string
  readonly timeoutMs: number
  readonly send: (request: Request) => Response | Promise<Response>
  readonly changed: () => void
}

/** The apps of an emulator, and the record of one for the other parts. */
export function createApps({ store, host, newId, timeoutMs, send, changed }: AppsOptions) {
  function record(appId: string): AppRecord {
    const found = store.get(KINDS.app, appId) as AppRecord | undefined
    if (found === undefined) throw new SidecardError('not_found', 'There is no app with this id.')
    return found
  }

  const records = () => store.all(KINDS.app) as readonly AppRecord[]
  const save = (app: AppRecord) => {
    store.put({ kind: KINDS.app, parent: '', id: app.id, body: app })
    changed()
  }

  const apps: EmulatorApps = {
    list: () => records().map((app) => host.view(app)),
    get: (appId) => host.view(record(appId)),
    async create({ target, url = target === undefined ? '' : IN_PROCESS_URL, ...input }) {
      const app = newApp({ ...input, url }, newId)
      if (target !== undefined) host.attach(app.id, target)
      save(app)
      await host.connect(app)
      return host.view(record(app.id))
    },
    async update(appId, change) {
      const before = record(appId)
      const after = changedApp(before, change, newId)
      save(after)
      const isElsewhere =
        after.url !== before.url || JSON.stringify(after.headers) !== JSON.stringify(before.headers)
      if (isElsewhere) {
        host.disconnect(after)
        await host.connect(record(appId))
      }
      return host.view(record(appId))
    },
    remove(appId) {
      record(appId)
      store.remove(KINDS.app, appId)
      host.forget(appId)
      changed()
    },
    async connect(appId) {
      await host.connect(record(appId))
      return host.view(record(appId))
    },
    disconnect(appId) {
      host.disconnect(record(appId))
      return host.view(record(appId))
    },
    check(appId) {
      const { url, headers } = record(appId)
      const target = host.targetOf(appId)
      return target === undefined
        ? check(url, { headers, timeoutMs, fetch: send })
        : check(target, { url, headers, timeoutMs })
    },
  }
  return { apps, record, records }
}
