import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listRecipes, readRecipeFiles } from '../add/recipes.ts'
import { mergeImports } from './merge-imports.ts'
import { INCLUDED_RECIPES, type ProjectFile, type Template } from './templates.ts'

/** The values for the placeholders of a template. */
export interface Placeholders {
  readonly name: string
  /** The version of sidecard that the project depends on. */
  readonly sidecard: string
}

const ROOT = fileURLToPath(new URL('../../../templates/', import.meta.url))

const MANIFEST = 'package.json'

/** npm does not pack files with these names, so templates store them under other names. */
const RENAMED_FILES: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': MANIFEST,
}

/** Files of a base layer that are only parts of other files. */
const PARTS = '_parts/'

/** Reads the files of a template and fills in the placeholders. */
export async function readTemplate(
  template: Template,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const layers = await Promise.all(template.layers.map(listFiles))
  const sources = Map.groupBy(layers.flat(), ([path]) => rename(path, template))
  const recipes = (await listRecipes()).filter(({ name }) => INCLUDED_RECIPES.includes(name))
  const added = await Promise.all(recipes.map((recipe) => readRecipeFiles(recipe, template.name)))
  const files = await Promise.all(
    [...sources]
      .filter(([path]) => !path.startsWith(PARTS))
      .map(async ([path, stored]) => {
        const texts = await Promise.all(stored.map(([, source]) => readSource(source)))
        const text = path === MANIFEST ? texts.reduce(mergeManifests) : texts.at(-1)
        return { path, content: fill(text ?? '', path, template, placeholders) }
      }),
  )
  return [...files, ...added.flat()]
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

type Manifest = Record<string, string | boolean | Record<string, unknown>>

/** Adds the scripts and packages of a later layer to those of an earlier one. */
function mergeManifests(earlier: string, later: string): string {
  const merged = JSON.parse(earlier) as Manifest
  for (const [key, entries] of Object.entries(JSON.parse(later) as Manifest)) {
    const all = Object.entries({ ...(merged[key] as object | undefined), ...(entries as object) })
    const isSorted = key.endsWith('ependencies')
    merged[key] = Object.fromEntries(isSorted ? all.sort(([a], [b]) => (a < b ? -1 : 1)) : all)
  }
  return `${JSON.stringify(merged, undefined, 2)}\n`
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
