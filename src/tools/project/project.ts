import type { z } from 'zod'
import { assertConsistent } from './consistency.ts'
import { type FindPlace, problemAt } from './problem.ts'
import { listTargets, type ProjectFile, projectSchema } from './schema.ts'

/** The files of a project. The second one takes precedence, and git ignores it. */
export const PROJECT_FILES = ['sidecard.json', 'sidecard.local.json'] as const

/** An entry of the project's files. */
interface Entry {
  readonly name: string
  /** The place, such as `sidecard.json:12`, without the line if it is unknown. */
  readonly place: string
}

/** An app of the project, or an environment of the app before it. The value of a header may contain `env:NAME`. */
export type ProjectApp = Entry & Readonly<Omit<ReturnType<typeof listTargets>[number], 'path'>>

/** A customer whose sidebar is shown, tested and checked. */
export interface ProjectCustomer extends Entry, Readonly<ProjectFile['customers'][string]> {}

/** A customer or IDs, with sections that fail, time out or are empty. */
export interface ProjectState extends Entry, Readonly<ProjectFile['states'][string]> {
  /** The IDs of the customer, some of which the state may replace. */
  readonly ids: ProjectCustomer['ids']
}

/** The project that `sidecard.json` and `sidecard.local.json` describe. */
export interface Project {
  readonly apps: readonly ProjectApp[]
  readonly customers: readonly ProjectCustomer[]
  readonly states: readonly ProjectState[]
  /** The sidebar of a customer that the endpoint does not know. */
  readonly unknown: NonNullable<ProjectFile['unknown']>
}

/** The content of a file. */
interface ProjectSource {
  readonly name: string
  readonly value: unknown
  readonly findPlace: FindPlace
}

/**
 * Reads a project from the imported JSON of `sidecard.json`.
 *
 * @throws {SidecardError} `invalid_project`, with the property and its fix, and without the value of a header or an ID
 */
export function readProject(value: unknown): Project {
  const [name] = PROJECT_FILES
  return readFiles([{ name, value, findPlace: () => name }])
}

/**
 * Reads a project from its files. An entry of a later file replaces the entry of
 * the same name.
 *
 * @throws {SidecardError} `invalid_project`
 */
export function readFiles(sources: readonly ProjectSource[]): Project {
  // The file in git must also be valid without the other one.
  if (sources.length > 1) readFiles(sources.slice(0, -1))
  const files = sources.map(validate)
  const merge = <Entries>(pick: (file: ProjectFile) => Entries): Entries =>
    Object.assign({}, ...files.map(pick))
  const merged = {
    apps: merge(({ apps }) => apps),
    customers: merge(({ customers }) => customers),
    states: merge(({ states }) => states),
  }
  const unknown = files.findLast((file) => file.unknown)?.unknown ?? { shows: [] }
  const findPlace: FindPlace = (path) => {
    const [kind, name] = path as readonly [keyof typeof merged | 'unknown', string]
    const index = files.findLastIndex((file) => Object.hasOwn(file[kind] ?? {}, name))
    return sources[index]!.findPlace(path)
  }
  assertConsistent({ ...merged, unknown }, sources.at(-1)?.name ?? '', findPlace)
  return {
    unknown,
    apps: listTargets(merged).map(({ path, ...target }) => {
      return { ...target, place: findPlace([...path, 'url']) }
    }),
    customers: Object.entries(merged.customers).map(([name, customer]) => {
      return { ...customer, name, place: findPlace(['customers', name]) }
    }),
    states: Object.entries(merged.states).map(([name, state]) => {
      const { ids } = merged.customers[state.customer ?? ''] ?? {}
      return { ...state, ids: { ...ids, ...state.ids }, name, place: findPlace(['states', name]) }
    }),
  }
}

function validate({ value, findPlace }: ProjectSource): ProjectFile {
  const { data, error } = projectSchema.safeParse(value)
  if (error === undefined) return data
  let [issue] = error.issues as [z.core.$ZodIssue]
  const path = [...issue.path]
  if (issue.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '')
  if (issue.code === 'invalid_key') [issue] = issue.issues as [z.core.$ZodIssue]
  // Messages of zod do not contain the invalid value.
  throw problemAt(findPlace, path, issue.message.replace(/^Invalid \w+: /, 'is invalid: '))
}
