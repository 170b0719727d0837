import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A template of a new project. */
export interface Template {
  readonly name: 'workers' | 'node' | 'workers-d1' | 'node-postgres'
  readonly summary: string
  /** Where local secrets stand; git ignores it. */
  readonly secretsFile: '.dev.vars' | '.env'
}

/** Every template; the first is the default. */
export const TEMPLATES: readonly Template[] = [
  { name: 'workers', summary: 'Cloudflare Workers', secretsFile: '.dev.vars' },
  { name: 'node', summary: 'a Node server, with a Dockerfile', secretsFile: '.env' },
  { name: 'workers-d1', summary: 'Workers with a D1 database', secretsFile: '.dev.vars' },
  { name: 'node-postgres', summary: 'Node with PostgreSQL', secretsFile: '.env' },
]

/** What stands in a template for what a new project has of its own. */
export interface Placeholders {
  readonly name: string
  /** The version of sidecard that the project depends on. */
  readonly sidecard: string
}

/** A file of a new project. */
export interface ProjectFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly content: string
}

const ROOT = fileURLToPath(new URL('../../../templates/', import.meta.url))

/** npm never packs these names, so a template stores them under others. */
const STORED_AS: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
}

/** The files of a template, filled in. */
export async function readTemplate(
  template: Template,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const folder = join(ROOT, template.name)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const stored = relative(folder, join(parentPath, STORED_AS[name] ?? name))
      const text = await readFile(join(parentPath, name), 'utf8')
      return {
        path: stored.split(sep).join('/'),
        content: text
          .replaceAll('{{name}}', () => placeholders.name)
          .replaceAll('"{{sidecard}}"', () => JSON.stringify(placeholders.sidecard)),
      }
    }),
  )
}
