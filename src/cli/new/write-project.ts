import { lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { SidecardError } from '../../errors.ts'
import { usageError } from '../run-command.ts'
import type { ProjectFile } from './templates.ts'

/** What writes a project; a test stands in for it to make any write fail. */
export interface ProjectFs {
  mkdtemp(prefix: string): Promise<string>
  mkdir(path: string, options: { recursive: true }): Promise<unknown>
  writeFile(path: string, content: string, options: { flag: 'wx' }): Promise<void>
  rename(from: string, to: string): Promise<void>
}

const NODE_FS: ProjectFs = { mkdtemp, mkdir, writeFile, rename }

/**
 * Refuses a target that is not free: only nothing, or an empty folder, is.
 *
 * @throws {SidecardError} `usage`
 */
export async function checkTarget(target: string): Promise<void> {
  const stats = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw usageError(`${basename(target)} cannot be looked at (${error.code}).`)
  })
  if (stats === undefined) return
  const name = basename(target)
  if (stats.isSymbolicLink()) throw usageError(`${name} is a symbolic link: choose another name.`)
  if (!stats.isDirectory()) throw usageError(`${name} is a file: choose another name.`)
  if ((await readdir(target)).length > 0) {
    throw usageError(`The folder ${name} is not empty: choose another name, or empty it.`)
  }
}

/**
 * Writes a project: whole or not at all. Its files are written into a folder
 * beside the target, which then takes the target's name in one step; whatever
 * goes wrong before leaves nothing behind.
 *
 * @throws {SidecardError} `cannot_write`
 */
export async function writeProject(
  target: string,
  files: readonly ProjectFile[],
  fs: ProjectFs = NODE_FS,
): Promise<void> {
  let staging: string | undefined
  // Ctrl-C in the middle: the process ends here, so the cleaning cannot wait for a promise.
  const interrupted = () => {
    if (staging !== undefined) rmSync(staging, { recursive: true, force: true })
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    staging = await fs.mkdtemp(join(dirname(target), `.${basename(target)}-`))
    const project = join(staging, 'project')
    for (const { path, content } of files) {
      const file = join(project, path)
      // oxlint-disable-next-line no-await-in-loop -- a folder before what is in it
      await fs.mkdir(dirname(file), { recursive: true })
      // oxlint-disable-next-line no-await-in-loop -- a disk that is full says so once
      await fs.writeFile(file, content, { flag: 'wx' })
    }
    await fs.rename(project, target)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new SidecardError(
      'cannot_write',
      `The project could not be written (${explain(code)}). Nothing was left behind.`,
      { cause: error },
    )
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    if (staging !== undefined) await rm(staging, { recursive: true, force: true })
  }
}

function explain(code: string): string {
  if (code === 'ENOSPC') return 'the disk is full'
  if (code === 'EACCES' || code === 'EPERM') return 'this folder may not be written to'
  if (code === 'EROFS') return 'the disk is read-only'
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'somebody else wrote there meanwhile'
  return code
}
