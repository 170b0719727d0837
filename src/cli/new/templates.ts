import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeImports } from './merge-imports.ts'

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
  /**
   * The folders and files of `templates/` that the project consists of. A file of a
   * later layer replaces the same file of an earlier one.
   */
  readonly layers: readonly string[]
  /** The file with local secrets; git ignores it. */
  readonly secretsFile: '.dev.vars' | '.env'
  /** Where production keeps secrets, for the documents of the project. */
  readonly productionSecrets: string
  /** The minimum Node version. */
  readonly node: string
}

const WORKERS = {
  secretsFile: '.dev.vars',
  productionSecrets: '`wrangler secret put`',
  node: '22.13',
} as const
const NODE = {
  secretsFile: '.env',
  productionSecrets: 'environment variables',
  // Since 22.18, Node runs TypeScript without a flag.
  node: '22.18',
} as const

/** Every template; the first is the default. */
export const TEMPLATES: readonly Template[] = [
  {
    name: 'workers',
    summary: 'Cloudflare Workers',
    layers: ['_base', 'workers'],
    ...WORKERS,
  },
  {
    name: 'node',
    summary: 'a Node server, with a Dockerfile',
    layers: ['_base', 'node'],
    ...NODE,
  },
  {
    name: 'workers-kv',
    summary: 'Workers with a KV cache',
    layers: ['_base', 'workers', 'workers-kv'],
    ...WORKERS,
  },
  {
    name: 'workers-d1',
    summary: 'Workers with a D1 database',
    layers: ['_base', 'workers', 'node/migrations', 'node/seed.sql', 'workers-d1'],
    ...WORKERS,
  },
  {
    name: 'node-postgres',
    summary: 'Node with PostgreSQL',
    layers: ['_base', 'node', 'node-postgres'],
    ...NODE,
  },
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

/** Files of a base layer that are only parts of other files. */
const PARTS = '_parts/'

/** Reads the files of a template and fills in the placeholders. */
export async function readTemplate(
  template: Template,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const stored = new Map<string, string>()
  for (const layer of template.layers) {
    // oxlint-disable-next-line no-await-in-loop -- a later layer replaces files of an earlier one
    for (const [path, source] of await listFiles(layer)) stored.set(rename(path, template), source)
  }
  return Promise.all(
    [...stored]
      .filter(([path]) => !path.startsWith(PARTS))
      .map(async ([path, source]) => ({
        path,
        content: fill(await readSource(source), path, template, placeholders),
      })),
  )
}

/** Lists the files of a layer: the path in the project and the path in `templates/`. */
async function listFiles(layer: string): Promise<readonly (readonly [string, string])[]> {
  const [folder = '', ...rest] = layer.split('/')
  const name = rest.join('/')
  const entries = await readdir(join(ROOT, layer), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return undefined
      throw error
    },
  )
  if (entries === undefined) return [[name, layer]]
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => {
      const path = relative(join(ROOT, folder), join(parentPath, file)).split(sep).join('/')
      return [path, `${folder}/${path}`]
    })
}

/** Reads a file of `templates/`, with the files that its lines `{{include …}}` name. */
async function readSource(source: string): Promise<string> {
  const text = await readFile(join(ROOT, source), 'utf8')
  const included = [...text.matchAll(/^\{\{include (\S+)\}\}\n/gm)].map(([, name = '']) => name)
  const parts = await Promise.all(included.map((name) => readSource(`_base/${name}`)))
  return text.replaceAll(/^\{\{include \S+\}\}\n/gm, () => parts.shift() ?? '')
}

function rename(path: string, { secretsFile }: Template): string {
  if (path === '_secrets.example') return `${secretsFile}.example`
  return RENAMED_FILES[path] ?? path
}

function fill(
  text: string,
  path: string,
  { secretsFile, productionSecrets }: Template,
  { name, sidecard }: Placeholders,
): string {
  return mergeImports(text, path)
    .replaceAll('{{name}}', () => name)
    .replaceAll('{{secretsFile}}', secretsFile)
    .replaceAll('{{productionSecrets}}', productionSecrets)
    .replaceAll('"{{sidecard}}"', () => JSON.stringify(sidecard))
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
