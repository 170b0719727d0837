import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../emulator/store/package-folder.ts'
import { mergeImports } from './merge-imports.ts'
import { mergeManifests } from './merge-manifests.ts'
import type { ProjectFile, Template } from './templates.ts'

/** The values for the placeholders of a template. */
export interface Placeholders {
  readonly name: string
  /** The version of sidecard that the project depends on. */
  readonly sidecard: string
  /** The version of the template. */
  readonly version: string
}

const ROOT = fileURLToPath(packageFile('templates/'))

const MANIFEST = 'package.json'

/** It is next to the layers, so that `npm start` in a clone of the repository uses it. */
const PROJECT = 'sidecard.json'

/** The name of the app in the stored project file. */
const STORED_NAME = '"customer": {'

/** The names of files that npm does not pack, so that templates store them under other names. */
const RENAMED_FILES: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package.json': MANIFEST,
}

/** Matches a file that is only a part of other files. */
const PART = /^_\w+\.(?:md|sh)$/

/** Reads the files of a template and fills in the placeholders. */
export async function readTemplate(
  template: Template,
  placeholders: Placeholders,
): Promise<readonly ProjectFile[]> {
  const layers = await Promise.all([...template.layers.map(readLayer), readProject(placeholders)])
  const stored = Map.groupBy(layers.flat(), ({ path }) => path)
  const parts = new Map([...stored].filter(([path]) => PART.test(path)))
  const texts = [...stored].filter(([path]) => !parts.has(path))
  return texts.map(([path, versions]) => {
    const contents = versions.map(({ content }) => content)
    const text =
      path === MANIFEST
        ? contents.reduce((merged, later) => mergeManifests(merged, JSON.parse(later)))
        : (contents.at(-1) ?? '')
    const whole = includeParts(text, parts)
    return { path, content: fill(mergeImports(whole, path), template, placeholders) }
  })
}

async function readLayer(layer: string): Promise<readonly ProjectFile[]> {
  const folder = join(ROOT, layer)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = relative(folder, join(parentPath, name)).split(sep).join('/')
      const content = await readFile(join(parentPath, name), 'utf8')
      return { path: RENAMED_FILES[path] ?? path, content }
    }),
  )
}

async function readProject({ name }: Placeholders): Promise<readonly ProjectFile[]> {
  const content = await readFile(join(ROOT, PROJECT), 'utf8')
  return [
    { path: PROJECT, content: content.replace(STORED_NAME, () => `${JSON.stringify(name)}: {`) },
  ]
}

/** Replaces each line `{{include …}}` with the parts of that name of all layers. */
function includeParts(text: string, parts: ReadonlyMap<string, readonly ProjectFile[]>): string {
  return text.replaceAll(/^\{\{include (\S+)\}\}\n/gm, (_line, name: string) =>
    (parts.get(name) ?? []).map(({ content }) => content).join(''),
  )
}

function fill(
  text: string,
  { host, data }: Template,
  { name, sidecard, version }: Placeholders,
): string {
  const productionUrl =
    host.name === 'workers' ? `https://${name}.example.workers.dev` : 'https://sidebar.example.com'
  return text
    .replaceAll('{{name}}', () => name)
    .replaceAll('{{template}}', `${host.name}@${version}`)
    .replaceAll('{{data}}', data.name)
    .replaceAll('{{secretsFile}}', host.secretsFile)
    .replaceAll('{{productionUrl}}', productionUrl)
    .replaceAll(/(?<=localhost:|"port": )8787/g, choosePort(name))
    .replaceAll('"{{sidecard}}"', () => JSON.stringify(sidecard))
}

/** Returns the port of a project on a developer's machine, where several projects run. */
function choosePort(name: string): string {
  return String(18_000 + (createHash('sha256').update(name).digest().readUInt16BE() % 1_000))
}

/** The variable with the secret of a new project. */
export const SECRET = 'SIDECARD_SECRET'

/** Creates the local secrets of a new project. Only this user can read the file. */
export function createSecretsFile({ host }: Template): ProjectFile {
  const secret = randomBytes(24).toString('base64url')
  return { path: host.secretsFile, content: `${SECRET}=${secret}\n`, mode: 0o600 }
}
