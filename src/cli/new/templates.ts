import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The names of the templates. */
export const TEMPLATE_NAMES = [
  'workers',
  'node',
  'workers-kv',
  'workers-d1',
  'node-postgres',
] as const

export type TemplateName = (typeof TEMPLATE_NAMES)[number]

/** A template for new projects. */
export interface Template {
  readonly name: TemplateName
  readonly summary: string
  /** The base template of a variant, whose files are added to the base or replace its files. */
  readonly base?: TemplateName
  /** The file with local secrets; git ignores it. */
  readonly secretsFile: '.dev.vars' | '.env'
  /** The minimum Node version. */
  readonly node: string
}

/** Every template; the first is the default. */
export const TEMPLATES: readonly Template[] = [
  { name: 'workers', summary: 'Cloudflare Workers', secretsFile: '.dev.vars', node: '22.13' },
  // Since 22.18, Node runs TypeScript without a flag.
  { name: 'node', summary: 'a Node server, with a Dockerfile', secretsFile: '.env', node: '22.18' },
  {
    name: 'workers-kv',
    base: 'workers',
    summary: 'Workers with a KV cache',
    secretsFile: '.dev.vars',
    node: '22.13',
  },
  {
    name: 'workers-d1',
    summary: 'Workers with a D1 database',
    secretsFile: '.dev.vars',
    node: '22.13',
  },
  { name: 'node-postgres', summary: 'Node with PostgreSQL', secretsFile: '.env', node: '22.18' },
]

/** The values for the placeholders of a template. */
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
  /** Permissions, as in `chmod`. @default the system's default for new files */
  readonly mode?: number
}

const ROOT = fileURLToPath(new URL('../../../templates/', import.meta.url))

/** npm does not pack files with these names, so templates store them under other names. */
const RENAMED_FILES: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': 'package.json',
}

/** Reads the files of a template and fills in the placeholders. */
export async function readTemplate(
  { name, base }: Template,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const templateFiles = await readFiles(name, placeholders)
  if (base === undefined) return templateFiles
  const paths = new Set(templateFiles.map(({ path }) => path))
  const baseFiles = await readFiles(base, placeholders)
  return [...baseFiles.filter(({ path }) => !paths.has(path)), ...templateFiles]
}

async function readFiles(
  template: TemplateName,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const folder = join(ROOT, template)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const stored = relative(folder, join(parentPath, RENAMED_FILES[name] ?? name))
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

/**
 * Creates the local secrets of a new project from its example file, with random
 * values. Only this user can read the file.
 */
export function createSecretsFile(example: ProjectFile, path: string): ProjectFile {
  const content = example.content
    .split('\n')
    .filter((line) => !line.startsWith('# Copy to'))
    .map((line) => line.replace(/=choose-.*$/, () => `=${randomBytes(24).toString('base64url')}`))
    .join('\n')
  return { path, content, mode: 0o600 }
}
