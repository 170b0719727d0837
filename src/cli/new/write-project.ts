import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SidecardError } from '../../internal/errors.ts'
import { usageError } from '../run-command.ts'
import type { ProjectFile } from './templates.ts'

/** The file operations that write a project. Tests replace them to make a step fail. */
export interface ProjectFs {
  mkdir(path: string, options?: { recursive: true }): Promise<unknown>
  writeFile(path: string, content: string, options: { flag: 'wx'; mode: number }): Promise<void>
  rename(from: string, to: string): Promise<void>
  rm(path: string, options: { recursive: true; force: true; maxRetries: number }): Promise<void>
}

/** The file operations of Node. */
export const NODE_FS: ProjectFs = { mkdir, writeFile, rename, rm }

/** Options of `writeProject()`. */
export interface WriteOptions {
  readonly fs?: ProjectFs | undefined
  /** Cancels the write and removes the files written so far. */
  readonly signal?: AbortSignal
}

/**
 * Requires that the target does not exist or is an empty folder.
 *
 * @throws {SidecardError} `usage`
 */
export async function assertTargetIsFree(target: string): Promise<void> {
  const stats = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw usageError(`Cannot access ${basename(target)} (${error.code}).`)
  })
  if (stats === undefined) return
  const name = basename(target)
  if (stats.isSymbolicLink()) throw usageError(`${name} is a symbolic link. Choose another name.`)
  if (!stats.isDirectory()) throw usageError(`${name} is a file. Choose another name.`)
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`Cannot read the folder ${name} (${error.code}).`)
  })
  if (entries.length > 0) {
    throw usageError(`The folder ${name} is not empty. Choose another name or empty it.`)
  }
}

/**
 * Writes a project, completely or not at all. The files are written to a folder
 * next to the target, which is renamed at the end. After a failure, that folder
 * is removed.
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
    throw writeFailure('project', error, true)
  }
  try {
    for (const { path, content, mode = 0o666 } of files) {
      signal?.throwIfAborted()
      const file = join(staging, path)
      // oxlint-disable-next-line no-await-in-loop -- a folder before its files
      await fs.mkdir(dirname(file), { recursive: true })
      // oxlint-disable-next-line no-await-in-loop -- stop at the first error
      await fs.writeFile(file, content, { flag: 'wx', mode })
    }
    signal?.throwIfAborted()
    await fs.rename(staging, target)
  } catch (error) {
    const removed = await fs.rm(staging, { recursive: true, force: true, maxRetries: 3 }).then(
      () => true,
      () => false,
    )
    throw writeFailure('project', error, removed, basename(staging))
  }
}

/** Creates the error of an interrupted or failed write. `removed`: whether no files remain. */
export function writeFailure(
  what: 'project' | 'recipe',
  cause: unknown,
  removed: boolean,
  staging = '',
): SidecardError {
  const rest = removed ? 'No files were left behind.' : `Remove the folder ${staging} by hand.`
  if (cause instanceof Error && cause.name === 'AbortError') {
    return new SidecardError('interrupted', `Interrupted. ${rest}`)
  }
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  const message = `Cannot write the ${what} (${explain(code)}). ${rest}`
  return new SidecardError('cannot_write', message, { cause })
}

function explain(code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EACCES' || code === 'EPERM') return 'no write permission'
  if (code === 'EROFS') return 'the disk is read-only'
  if (code === 'ENOENT') return 'the folder no longer exists'
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'the folder was created in the meantime'
  return code
}
