import { SidecardError } from '../../../runtime/internal/errors.ts'
import type { FetchTarget } from '../../service/endpoint/target.ts'
import { createData } from './data.ts'
import { createEventHub } from './events.ts'
import { createFaultEngine } from '../faults/engine.ts'
import { createExchangeLog } from './exchange-log.ts'
import { newId, randomToken } from './ids.ts'
import type { EmulatorSettings } from './options.ts'
import { createProjectEntries } from './project.ts'
import type { DevServerView } from '../protocol/workspace.ts'
import { createSaves } from './saves.ts'
import { createStackMapper } from '../store/map-stack.ts'
import { openProjectFolder, type ProjectFolder } from '../store/project-files.ts'

/** Returns the project folder. @throws {SidecardError} `no_project` */
export function requireFolder({ folder }: EmulatorContext): ProjectFolder {
  if (folder !== undefined) return folder
  const message =
    'The emulator has no project folder. Start it with sidecard dev, or pass projectDir to createEmulator().'
  throw new SidecardError('no_project', message)
}

/** The context that the parts of an emulator share. */
export type EmulatorContext = ReturnType<typeof createContext>

/**
 * Creates the context of an emulator.
 *
 * @throws {SidecardError} as `createData` does
 */
export function createContext(settings: EmulatorSettings) {
  const { projectDir, accessToken = `sidecard_${randomToken()}` } = settings
  const events = createEventHub()
  /** Reports that the state of the workspace changed. */
  const changed = () => events.emit({ type: 'state' })
  const project = createProjectEntries(settings.project, changed)
  const data = createData(settings, project)
  return {
    ...settings,
    /** The bearer token of the API. */
    accessToken,
    newId,
    events,
    changed,
    project,
    data,
    store: data.store,
    faults: createFaultEngine(changed),
    /** The requests to the apps. */
    log: createExchangeLog(events),
    /** The status of the dev command, which the workspace shows; null without a command. */
    devServer: {
      current: null as DevServerView | null,
      set(status: DevServerView | null): void {
        this.current = status
        changed()
      },
    },
    /** Why the newest change of the project file is not in use; null if it is. */
    projectProblem: {
      current: null as string | null,
      set(message: string | null): void {
        if (message === this.current) return
        this.current = message
        changed()
      },
    },
    /** What happened to the newest saves. */
    saves: createSaves(events),
    /** The in-process endpoints, by app. */
    targets: new Map<string, FetchTarget>(),
    mapStack: createStackMapper(projectDir),
    /** `undefined` without a project folder. */
    folder: projectDir === undefined ? undefined : openProjectFolder(projectDir),
  }
}
