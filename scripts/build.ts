/**
 * `npm run build`: writes the package and the workspace into `dist`. It builds in
 * another folder and renames it, so that two builds at the same time do not
 * mix, and a build that fails changes nothing. An equal `dist` stays, because a
 * program may run from it.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildUi } from './build-ui.ts'
import { bundlePackage } from './bundle-package.ts'
import { ENTRIES } from './package-entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const scratch = join(root, '.scratch')

mkdirSync(scratch, { recursive: true })
const folder = mkdtempSync(join(scratch, 'build-'))
try {
  const built = join(folder, 'dist')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'src/tsconfig.build.json', '--outDir', built]
  const { status } = spawnSync(process.execPath, [compiler, ...options], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) {
    for (const [, file, out] of ENTRIES) writeTypes(join(built, `${out}.d.ts`), file)
    await bundlePackage(built)
    await buildUi(join(built, 'workspace'))
    if (digest(built) !== digest(dist)) replace(built, dist)
  } else process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes the types of an entry, which the compiler wrote to the path of their source. */
function writeTypes(path: string, source: string): void {
  const types = source.replace(/^src\//, '../').replace(/\.ts$/, '.js')
  if (existsSync(path)) return
  if (!existsSync(join(dirname(path), types.replace(/\.js$/, '.d.ts')))) {
    throw new Error(`${source} has no types. Include it in src/tsconfig.build.json.`)
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `export * from '${types}'\n`)
}

/** Renames a folder to a name that another build may use at the same time. */
function replace(from: string, to: string): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      renameSync(to, join(folder, `old-${attempt}`))
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
    try {
      renameSync(from, to)
      return
    } catch (error) {
      // The other build was faster.
      if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error
    }
  }
}

/** Returns a digest of all files, or undefined without the folder. */
function digest(path: string): string | undefined {
  const hash = createHash('sha256')
  try {
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (statSync(join(path, file)).isFile())
        hash.update(file).update(readFileSync(join(path, file)))
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  return hash.digest('hex')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
