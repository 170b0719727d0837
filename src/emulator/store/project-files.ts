import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SidecardError } from '../../internal/errors.ts'
import { isInside } from './is-inside.ts'
import { openSources } from './source-files.ts'

/** The files of the user's project that the emulator reads and writes. */
export type Project = ReturnType<typeof openProject>

/** Opens a project folder. */
export function openProject(directory: string) {
  /** Whether a path exists, even as a broken link. */
  const has = (path: string) =>
    lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined

  function assertWritable(path: string): void {
    if (has(path)) {
      throw new SidecardError('file_exists', `${path} already exists. Choose another name.`)
    }
    const folder = realpathSync(closestFolder(join(directory, path)))
    if (!isInside(join(folder, 'file'), realpathSync(directory))) {
      throw new SidecardError('cannot_write', `${path} is outside the project. Remove the link.`)
    }
  }

  return {
    directory,
    /** The scripts that the workspace shows and opens. */
    sources: openSources(directory),
    has,
    /** The `test` script of package.json; empty if there is none. */
    readTestScript(): string {
      try {
        const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
          readonly scripts?: { readonly test?: unknown }
        }
        return typeof manifest.scripts?.test === 'string' ? manifest.scripts.test : ''
      } catch {
        // Without a readable package.json there is no test script.
        return ''
      }
    },
    /**
     * The scripts in `src` and in the project folder itself, and the bindings of its
     * tests (`test/env`), by path. Long files are left out.
     */
    readSources(): ReadonlyMap<string, string> {
      const sources = new Map<string, string>()
      for (const folder of ['', 'src/', 'test/']) {
        for (const name of listScripts(join(directory, folder))) {
          const path = folder + name
          if (folder === 'test/' && !name.startsWith('env.')) continue
          if (statSync(join(directory, path)).size <= MAX_SOURCE_BYTES) {
            sources.set(path, readFileSync(join(directory, path), 'utf8'))
          }
        }
      }
      return sources
    },
    /**
     * Writes new files. If one of them exists, or if a link leads outside the
     * project, no file is written.
     *
     * @throws {SidecardError} `file_exists` or `cannot_write`
     */
    write(files: ReadonlyArray<{ readonly path: string; readonly text: string }>): void {
      try {
        for (const { path } of files) assertWritable(path)
        for (const { path, text } of files) {
          mkdirSync(dirname(join(directory, path)), { recursive: true })
          writeFileSync(join(directory, path), text, { flag: 'wx' })
        }
      } catch (error) {
        if (error instanceof SidecardError) throw error
        const names = files.map(({ path }) => path).join(', ')
        const message = `Cannot write ${names}. Check the permissions of the project folder.`
        throw new SidecardError('cannot_write', message, { cause: error })
      }
    },
  }
}

const MAX_SOURCE_BYTES = 262_144

function listScripts(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(?:ts|mjs|js)$/.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

function closestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : closestFolder(folder)
}
