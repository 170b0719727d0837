import { SidecardError } from '../internal/errors.ts'
import type { FetchTarget } from '../service/target.ts'
import { createData, type EmulatorData } from './data.ts'
import { createDevServerStatus, type EmulatorDevServer } from './dev-server.ts'
import { createEventHub, type EventHub } from './events.ts'
import { createFaultEngine, type FaultEngine } from './faults/engine.ts'
import type { AppRecord } from './host/app-record.ts'
import { createExchangeLog, type ExchangeLog } from './host/exchange-log.ts'
import { newId, randomToken } from './ids.ts'
import type { EmulatorSettings } from './options.ts'
import { createPresets, type PresetRegistry } from './presets.ts'
import { createStackMapper, type MapStack } from './store/map-stack.ts'
import { openProject, type ProjectFiles } from './store/project-files.ts'
import type { Store } from './store/store.ts'

/** What the parts of an emulator share. */
export interface EmulatorContext extends Omit<EmulatorSettings, 'presets' | 'accessToken'> {
  /** The bearer token of the API. */
  readonly accessToken: string
  readonly newId: (prefix: string) => string
  readonly events: EventHub
  /** Reports that the state of the workspace changed. */
  readonly changed: () => void
  readonly presets: PresetRegistry
  readonly data: EmulatorData
  readonly store: Store
  readonly faults: FaultEngine
  /** The requests to the apps. */
  readonly log: ExchangeLog
  readonly devServer: EmulatorDevServer
  /** The endpoints in process, by app. */
  readonly targets: Map<string | null, FetchTarget>
  readonly mapStack: MapStack
  /** `undefined` without a project folder. */
  readonly project: ProjectFiles | undefined
}

/**
 * Creates the context of an emulator.
 *
 * @throws {SidecardError} as `createData` does
 */
export function createContext(settings: EmulatorSettings): EmulatorContext {
  const { projectDir, accessToken = `sidecard_${randomToken()}` } = settings
  const events = createEventHub()
  const changed = () => events.emit({ type: 'state' })
  const presets = createPresets(changed)
  const data = createData(settings, presets)
  return {
    ...settings,
    accessToken,
    newId,
    events,
    changed,
    presets,
    data,
    store: data.store,
    faults: createFaultEngine(changed),
    log: createExchangeLog(events),
    devServer: createDevServerStatus(changed),
    targets: new Map(),
    mapStack: createStackMapper(projectDir),
    project: projectDir === undefined ? undefined : openProject(projectDir),
  }
}

/** Returns a stored app. @throws {SidecardError} `not_found` */
export function findApp({ store }: EmulatorContext, id: string): AppRecord {
  const app = store.get('app', id)
  if (app !== undefined) return app
  throw new SidecardError('not_found', 'No app has this ID.')
}
