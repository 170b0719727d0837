import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createLinterConfig } from '../../scripts/layer-rules.ts'
import { LAYERS } from '../../scripts/layers.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGES = ['node:fs', 'node:fs/promises', 'bun:sqlite', 'sidecard', 'pg', 'zod', 'hono/cors']
PACKAGES.push('preact/hooks', 'commander', 'jose', 'oauth4webapi', '@hono/node-server', 'diff')

const FLOORS = Object.entries(LAYERS).flatMap(([name, { floors = [] }]) =>
  floors.flat().map((floor) => `${name}/${floor}`),
)

/** The source files of each folder, nearest first. */
const FILES = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .toSorted((left, right) => left.split('/').length - right.split('/').length)
const FOLDERS = [...new Set(FILES.map(dirname))].filter((folder) => folder.includes('/'))
const fileIn = (folder: string, except: readonly string[] = []) =>
  FILES.find((file) => `${file}/`.startsWith(`${folder}/`) && !except.includes(file))!
/** One file of each folder, and the single files that the table names. */
const SAMPLE = new Set([...FOLDERS, ...FLOORS].map((path) => fileIn(path)))
const layerOf = (folder: string) => folder.split('/').slice(0, 2).join('/')
const NAMES = [...new Set(FOLDERS.map(layerOf))]

/** Lists what a file may not import. */
function forbiddenIn(from: string): readonly string[] {
  const folder = dirname(from)
  const name = layerOf(folder)
  const { folders = [], modules = [], packages = [], floors = [], types = [] } = LAYERS[name] ?? {}
  const inner = from.split('/')[2] ?? ''
  const allowed = [...packages, ...(LAYERS[`${name}/${inner}`]?.packages ?? [])]
  const at = floors.findIndex((floor) => [floor].flat().includes(inner))
  const others =
    at < 0
      ? []
      : floors
          .slice(at)
          .flat()
          .filter((floor) => floor !== inner)
  const files = [
    'index.ts',
    ...types,
    ...NAMES.filter((other) => other !== name && !folders.includes(other)).map((other) =>
      fileIn(other, modules),
    ),
    ...others.map((floor) => fileIn(`${name}/${floor}`)),
  ]
  return [
    ...files
      .map((file) => relative(folder, file))
      .map((path) => (path.startsWith('.') ? path : `./${path}`)),
    ...PACKAGES.filter((each) => !allowed.some((one) => each.startsWith(one))),
  ]
}

test('the linter rejects each import that the table of layers does not allow', async ({
  onTestFinished,
}) => {
  const copy = mkdtempSync(join(tmpdir(), 'sidecard-layers-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const path of ['src', 'package.json', 'tsconfig.json', '.oxlintrc.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const expected = [...SAMPLE].flatMap((file) => {
    const imports = forbiddenIn(file)
    const path = join(copy, 'src', file)
    const code = readFileSync(path, 'utf8').replace(/^#!/, '//')
    writeFileSync(path, [...imports.map((each) => `import '${each}'`), code].join('\n'))
    return imports.map((each, index) => `src/${file}:${index + 1} ${each}`)
  })
  const rejected = (await lint(copy)).map(({ filename, message, line }) => {
    const [, path = ''] = /^'(.*?)' import is restricted/.exec(message) ?? []
    return `${filename}:${line} ${path}`
  })
  expect(FOLDERS.length).toBeGreaterThan(60)
  expect(rejected.toSorted()).toEqual(expected.toSorted())
})

/**
 * Runs the lint command of package.json, and returns the imports that it rejects. The rules that
 * need types take a minute and say nothing about imports.
 */
async function lint(cwd: string) {
  const [program = '', ...options] = manifest.scripts.lint.replace(' --type-aware', '').split(' ')
  const stdout = await new Promise<string>((resolve) => {
    const args = [join(root, 'node_modules/.bin', program), ...options, '--format=json', 'src']
    execFile(process.execPath, args, { cwd, maxBuffer: 64e6 }, (_error, output) => resolve(output))
  })
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] }
  return diagnostics
    .filter(({ code }) => code === 'eslint(no-restricted-imports)')
    .map(({ filename, message, labels }) => ({ filename, message, line: labels[0]!.span.line }))
}

interface Diagnostic {
  readonly code: string
  readonly filename: string
  readonly message: string
  readonly labels: ReadonlyArray<{ readonly span: { readonly line: number } }>
}

test('every folder of src is in the table of layers, and the table names no other one', () => {
  expect([...new Set(FOLDERS.map(layerOf))].toSorted()).toEqual(
    Object.keys(LAYERS)
      .filter((name) => name.split('/').length === 2)
      .toSorted(),
  )
  expect(
    FLOORS.filter((floor) => !FILES.some((file) => `${file}/`.startsWith(`${floor}/`))),
  ).toEqual([])
})

test('.oxlintrc.json has the rules of the table of layers', () => {
  expect(JSON.parse(createLinterConfig())).toEqual(
    JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')),
  )
})
