import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SidecardError } from '../../errors.ts'
import { usageError } from '../run-command.ts'
import type { ProjectFile } from './templates.ts'

/** What writes a project; a test stands in for it to make any step fail. */
export interface ProjectFs {
  mkdir(path: string, options?: { recursive: true }): Promise<unknown>
  writeFile(path: string, content: string, options: { flag: 'wx'; mode: number }): Promise<void>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { recursive: true; force: true; maxRetries: number }): Promise<void>
}

const NODE_FS: ProjectFs = { mkdir, writeFile, rename, rm }

/** How a project is written. */
export interface WriteOptions {
  readonly fs?: ProjectFs | undefined
  /** Gives the writing up when it aborts, and takes back what was written. */
  readonly signal?: AbortSignal
}

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
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`The folder ${name} cannot be read (${error.code}).`)
  })
  if (entries.length > 0) {
    throw usageError(`The folder ${name} is not empty: choose another name, or empty it.`)
  }
}

/**
 * Writes a project: whole or not at all. Its files are written into a folder
 * beside the target, which then takes the target's name in one step; whatever
 * goes wrong before leaves nothing behind.
 *
 * @throws {SidecardError} `cannot_write`, or `interrupted` when the signal aborted
 */
export async function writeProject(
  target: string,
  files: readonly ProjectFile[],
  { fs = NODE_FS, signal }: WriteOptions = {},
): Promise<void> {
  const staging = join(dirname(target), `.${basename(target)}-${randomUUID().slice(0, 8)}`)
  try {
    await fs.mkdir(staging)
  } catch (error) {
    throw failure(error, true)
  }
  try {
    for (const { path, content, mode = 0o666 } of files) {
      signal?.throwIfAborted()
      const file = join(staging, path)
      // oxlint-disable-next-line no-await-in-loop -- a folder before what is in it
      await fs.mkdir(dirname(file), { recursive: true })
      // oxlint-disable-next-line no-await-in-loop -- a disk that is full says so once
      await fs.writeFile(file, content, { flag: 'wx', mode })
    }
    signal?.throwIfAborted()
    await fs.rename(staging, target)
  } catch (error) {
    const isGone = await fs.rm(staging, { recursive: true, force: true, maxRetries: 3 }).then(
      () => true,
      () => false,
    )
    throw failure(error, isGone, basename(staging))
  }
}

function failure(cause: unknown, isGone: boolean, staging = ''): SidecardError {
  const left = isGone ? 'Nothing was left behind.' : `Remove the folder ${staging} by hand.`
  if (cause instanceof Error && cause.name === 'AbortError') {
    return new SidecardError('interrupted', `Interrupted. ${left}`)
  }
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  const message = `The project could not be written (${explain(code)}). ${left}`
  return new SidecardError('cannot_write', message, { cause })
}

function explain(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EACCES' || code === 'EPERM') return 'this folder may not be written to'
  if (code === 'EROFS') return 'the disk is read-only'
  if (code === 'ENOENT') return 'this folder is no longer there'
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'somebody else wrote there meanwhile'
  return code
}
