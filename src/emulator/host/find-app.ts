/** The sources of a project, by path. */
export type ProjectSources = ReadonlyMap<string, string>

/** How a test gets the user's own app. */
export interface AppSetup {
  /** Import statements, relative to `test/`. */
  readonly imports: readonly string[]
  /** An expression for the app. */
  readonly expression: string
  /** What the user must change, because the project does not say it; null if nothing. */
  readonly change: string | null
  /** How a test can fake the data source; null if the project has no place for it. */
  readonly seam: string | null
}

const ENTRIES = ['src/index', 'src/app', 'src/worker', 'index', 'app'].flatMap((path) =>
  ['.ts', '.js', '.mjs'].map((extension) => path + extension),
)

/** Finds the app in the sources of a project: an exported app, or a function that creates one. */
export function findApp(sources: ProjectSources): AppSetup {
  for (const path of ENTRIES) {
    const source = sources.get(path)
    // A file that opens a port when it is imported is not an app.
    if (source === undefined || /\b(?:serve|listen)\(/.test(source)) continue
    const file = `'../${path}'`
    if (/^export default /m.test(source)) {
      return { imports: [`import app from ${file}`], expression: 'app', change: null, seam: null }
    }
    const name = /^export const (\w+) = sidecard\b/m.exec(source)?.[1]
    if (name !== undefined) {
      return {
        imports: [`import { ${name} } from ${file}`],
        expression: name,
        change: null,
        seam: null,
      }
    }
    const factory = /^export (?:async )?function (\w*[aA]pp)\(([^)]*)\)/m.exec(source)
    if (factory?.[1] !== undefined) return callFactory(factory[1], factory[2] ?? '', file, sources)
  }
  return {
    imports: ["import { app } from '../src/app.ts'"],
    expression: 'app',
    change: 'Import your app: the file that exports it was not found.',
    seam: null,
  }
}

function callFactory(
  name: string,
  parameters: string,
  file: string,
  sources: ProjectSources,
): AppSetup {
  const imports = [`import { ${name} } from ${file}`]
  const values: string[] = []
  let change: string | null = null
  let seam: string | null = null
  for (const parameter of parameters.split(',').filter((each) => each.trim() !== '')) {
    // A parameter with a default can be left out.
    if (/=|\?:/.test(parameter)) {
      seam ??= `Or pass a fake ${nameOf(parameter)} to ${name}().`
      continue
    }
    const type = /:\s*(\w+)/.exec(parameter)?.[1] ?? parameter.trim()
    const found = findProvider(type, sources)
    if (findTestExport(nameOf(parameter), sources)) {
      imports.push(`import { ${nameOf(parameter)} } from './env.ts'`)
      values.push(nameOf(parameter))
    } else if (found === undefined) {
      change = `Pass what ${name}() needs.`
      values.push(`/* ${parameter.trim()} */`)
    } else {
      imports.push(`import { ${found.name} } from '../${found.path}'`)
      values.push(`await ${found.name}()`)
    }
  }
  return { imports, expression: `await ${name}(${values.join(', ')})`, change, seam }
}

/** The name of a parameter: `database` for `database: Database`. */
function nameOf(parameter: string): string {
  return /\w+/.exec(parameter)?.[0] ?? ''
}

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
    if (path.startsWith('test/')) continue
    const [, name, parameters = ''] = declaration.exec(source) ?? []
    const isCallable = parameters
      .split(',')
      .every((parameter) => parameter.trim() === '' || /=|\?:/.test(parameter))
    if (name !== undefined && isCallable) return { name, path }
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
