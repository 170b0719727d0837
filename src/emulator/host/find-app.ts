/** The sources of a project, by path. */
export type ProjectSources = ReadonlyMap<string, string>

const ENTRIES = ['src/index', 'src/app', 'src/worker', 'index', 'app'].flatMap((path) =>
  ['.ts', '.js', '.mjs'].map((extension) => path + extension),
)

/**
 * Finds out how a test gets the user's own app: an exported app, or a function that
 * creates one. `imports` are relative to `test/`. `change` says what the user must
 * change, because the project does not say it. `seam` says how a test can fake the
 * data source.
 */
export function findApp(sources: ProjectSources) {
  const found = { expression: 'app', change: null, seam: null }
  for (const path of ENTRIES) {
    const source = sources.get(path)
    // A file that opens a port when it is imported is not an app.
    if (source === undefined || /\b(?:serve|listen)\(/.test(source)) continue
    const file = `'../${path}'`
    if (/^export default /m.test(source)) return { ...found, imports: [`import app from ${file}`] }
    const name = /^export const (\w+) = sidecard\b/m.exec(source)?.[1]
    if (name !== undefined) {
      return { ...found, imports: [`import { ${name} } from ${file}`], expression: name }
    }
    const factory = /^export (?:async )?function (\w*[aA]pp)\(([^)]*)\)/m.exec(source)
    if (factory?.[1] !== undefined) return callFactory(factory[1], factory[2] ?? '', file, sources)
  }
  const change = 'Import your app: the file that exports it was not found.'
  return { ...found, imports: ["import { app } from '../src/app.ts'"], change }
}

function callFactory(factory: string, parameters: string, file: string, sources: ProjectSources) {
  const imports = [`import { ${factory} } from ${file}`]
  const values: string[] = []
  let change: string | null = null
  let seam: string | null = null
  for (const parameter of splitParameters(parameters)) {
    const [name = ''] = /\w+/.exec(parameter) ?? []
    const provider = findProvider(/:\s*(\w+)/.exec(parameter)?.[1] ?? name, sources)
    if (isOptional(parameter)) {
      seam ??= `Or pass a fake ${name} to ${factory}().`
    } else if (findTestExport(name, sources)) {
      imports.push(`import { ${name} } from './env.ts'`)
      values.push(name)
    } else if (provider !== undefined) {
      imports.push(`import { ${provider.name} } from '../${provider.path}'`)
      values.push(`await ${provider.name}()`)
    } else {
      change = `Pass what ${factory}() needs.`
      values.push(`/* ${parameter} */`)
    }
  }
  return { imports, expression: `await ${factory}(${values.join(', ')})`, change, seam }
}

function splitParameters(parameters: string): readonly string[] {
  return parameters
    .split(',')
    .map((parameter) => parameter.trim())
    .filter((parameter) => parameter !== '')
}

/** A parameter with a default can be left out. */
const isOptional = (parameter: string) => /=|\?:/.test(parameter)

/** Returns whether the bindings of the project's own tests export a value: `env` or `database`. */
export function findTestExport(name: string, sources: ProjectSources): boolean {
  return new RegExp(`^export const ${name}\\b`, 'm').test(sources.get('test/env.ts') ?? '')
}

/** Finds a function without required parameters that creates a value of a type: `openDatabase()` for `Database`. */
function findProvider(type: string, sources: ProjectSources) {
  const declaration = new RegExp(
    `^export (?:async )?function ((?:open|create|connect)${type})\\(([^)]*)\\)`,
    'm',
  )
  for (const [path, source] of sources) {
    const [, name, parameters = ''] = declaration.exec(source) ?? []
    const isUsable = !path.startsWith('test/') && splitParameters(parameters).every(isOptional)
    if (name !== undefined && isUsable) return { name, path }
  }
  return undefined
}

/** Returns the binding with the secret of the app. */
export function findSecretBinding(sources: ProjectSources): string {
  for (const source of sources.values()) {
    const name = /secretHeader\([^)]*?(?:binding:\s*['"](\w+)|env\.(\w+))/.exec(source)
    if (name !== null) return name[1] ?? name[2] ?? ''
  }
  return 'SIDECARD_SECRET'
}
