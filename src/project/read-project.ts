import type { z } from 'zod'
import { assertValidCustomers } from './customers.ts'
import { problemAt } from './problem.ts'
import type { Project, ProjectApp, ProjectSource } from './project.ts'
import { type ProjectFile, projectSchema } from './schema.ts'

/**
 * Reads a project from the imported JSON of `sidecard.json`.
 *
 * @throws {SidecardError} `invalid_project`, with the property and its fix, and without the value of a header or an ID
 */
export function readProject(value: unknown): Project {
  return mergeFiles([{ file: 'sidecard.json', value, isLocal: false, lineOf: () => 0 }])
}

/**
 * Merges the files of a project. An entry of a later file replaces the entry of
 * the same name.
 *
 * @throws {SidecardError} `invalid_project`
 */
export function mergeFiles(sources: readonly ProjectSource[]): Project {
  const files = sources.map(validate)
  const customers = listEntries(files, 'customers')
  for (const file of files) assertValidCustomers(file, customers)
  const states = listEntries(files, 'states').map((state) => {
    const { ids } = customers.find(({ name }) => name === state.customer) ?? {}
    return { ...state, ids: { ...ids, ...state.ids } }
  })
  const [template] = files.flatMap(({ value }) => value.template ?? [])
  return { template, apps: findApps(files), customers, states }
}

type ValidSource = ProjectSource<ProjectFile>
type Kind = 'apps' | 'customers' | 'states'

/** Lists the entries of a kind. That of a later file replaces that of the same name. */
function listEntries<K extends Kind>(files: readonly ValidSource[], kind: K) {
  const entries = files.flatMap(({ file, isLocal, lineOf, value }) =>
    Object.entries(value[kind] as Readonly<Record<string, ProjectFile[K][string]>>).map(
      ([name, given]) => ({ ...given, name, isLocal, place: { file, line: lineOf([kind, name]) } }),
    ),
  )
  return [...new Map(entries.map((entry) => [entry.name, entry])).values()]
}

/** Adds the lines of the URLs. One URL on the command line means one app or environment. */
function findApps(files: readonly ValidSource[]): readonly ProjectApp[] {
  const owners = new Map<string, string>()
  return listEntries(files, 'apps').map((app) => {
    const source = files.find(({ file }) => file === app.place.file)!
    const locate = <T extends { url: string }>(target: T, ...path: readonly string[]) => {
      const at = ['apps', app.name, ...path, 'url']
      const { href } = new URL(target.url)
      const other = owners.get(href)
      if (other !== undefined) throw problemAt(source, at, `is also the URL of ${other}`)
      owners.set(href, [app.name, ...path.slice(1)].join(' '))
      return { ...target, url: href, place: { file: source.file, line: source.lineOf(at) } }
    }
    const located = locate(app)
    const environments = Object.entries(app.environments).map(
      ([name, environment]) => [name, locate(environment, 'environments', name)] as const,
    )
    return { ...located, environments: Object.fromEntries(environments) }
  })
}

function validate(source: ProjectSource): ValidSource {
  const { data, error } = projectSchema.safeParse(source.value)
  if (error === undefined) return { ...source, value: data }
  let [issue] = error.issues as [z.core.$ZodIssue]
  const path = [...issue.path]
  if (issue.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '')
  if (issue.code === 'invalid_key') [issue] = issue.issues as [z.core.$ZodIssue]
  // Messages of zod do not contain the invalid value.
  throw problemAt(source, path, issue.message.replace(/^Invalid \w+: /, 'is invalid: '))
}
