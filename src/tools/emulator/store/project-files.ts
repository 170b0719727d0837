import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { isInside } from './is-inside.ts'
import { openSources } from './source-files.ts'

/** The files of the user's project that the emulator reads and writes. */
export type ProjectFolder = ReturnType<typeof openProjectFolder>

/** Opens a project folder. */
export function openProjectFolder(directory: string) {
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
    /**
     * Writes a new file. If it exists, or if a link leads outside the project, it is
     * not written.
     *
     * @throws {SidecardError} `file_exists` or `cannot_write`
     */
    write(path: string, text: string): void {
      try {
        assertWritable(path)
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text, { flag: 'wx' })
      } catch (error) {
        if (error instanceof SidecardError) throw error
        const message = `Cannot write ${path}. Check the permissions of the project folder.`
        throw new SidecardError('cannot_write', message, { cause: error })
      }
    },
  }
}

function closestFolder(path: string): string {
  const folder = dirname(path)
  return existsSync(folder) ? folder : closestFolder(folder)
}
