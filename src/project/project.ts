import type { Place } from './place.ts'
import type { Located } from './problem.ts'
import type { ProjectFile } from './schema.ts'

/** An entry of the project's files. */
interface Entry {
  readonly name: string
  readonly place: Place
  /** Whether the entry is in `sidecard.local.json`, which git ignores. */
  readonly isLocal: boolean
}

type App = ProjectFile['apps'][string]

/** Another deployment of an app. Without `customers`, all customers exist there. */
export type ProjectEnvironment = Readonly<App['environments'][string]> & Pick<Entry, 'place'>

/** An app of the project. The value of a header may contain `env:NAME`. */
export interface ProjectApp extends Entry, Readonly<Omit<App, 'environments'>> {
  readonly environments: Readonly<Record<string, ProjectEnvironment>>
}

/** A customer whose sidebar is shown, tested and checked. */
export interface ProjectCustomer extends Entry, Readonly<ProjectFile['customers'][string]> {}

/** A customer, or IDs, with sections that fail, time out or are empty. */
export interface ProjectState extends Entry, Readonly<ProjectFile['states'][string]> {
  /** The IDs of the customer, some of which the state may replace. */
  readonly ids: ProjectCustomer['ids']
}

/** The project that `sidecard.json` and `sidecard.local.json` describe. */
export interface Project {
  /** The template of the project with its version, such as `node@0.1.0`. */
  readonly template?: string | undefined
  readonly apps: readonly ProjectApp[]
  readonly customers: readonly ProjectCustomer[]
  readonly states: readonly ProjectState[]
}

/** A file of the project, before and after it is validated. */
export interface ProjectSource<Value = unknown> extends Located {
  readonly value: Value
  /** Whether git ignores the file. */
  readonly isLocal: boolean
}
