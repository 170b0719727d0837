import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { explainFileError } from '../file-error.ts'
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

/** Options of `writeProject()` and `writeFiles()`. */
export interface WriteOptions {
  readonly fs?: ProjectFs | undefined
  /** Cancels the write and removes the files written so far. */
  readonly signal?: AbortSignal
}

/** Entries of a folder that contains no files of the user. `.git` is a file in a submodule. */
const KEPT_ENTRIES: readonly string[] = ['.git', '.DS_Store']

/**
 * Requires that the target does not exist, is an empty folder or is a clone without files.
 *
 * @returns whether the folder contains entries to keep
 * @throws {SidecardError} `usage`
 */
export async function assertTargetIsFree(target: string): Promise<boolean> {
  const name = basename(target)
  const fail = (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw usageError(`Cannot read ${name}: ${explainFileError(error)}.`)
  }
  const stats = await lstat(target).catch(fail)
  if (stats === undefined) return false
  if (stats.isSymbolicLink()) throw usageError(`${name} is a symbolic link. Choose another name.`)
  if (!stats.isDirectory()) throw usageError(`${name} is a file. Choose another name.`)
  const entries = (await readdir(target).catch(fail)) ?? []
  if (entries.every((entry) => KEPT_ENTRIES.includes(entry))) return entries.length > 0
  const exception = entries.includes('.git') ? ', except for .git' : ''
  throw usageError(
    `The folder ${name} is not empty. Choose a different name, or move its files to another folder${exception}.`,
  )
}

/** A new file, or new content of an existing one. */
export interface FileWrite extends ProjectFile {
  /** The content of an existing file. */
  readonly before?: string
}

/**
 * Writes a new project, completely or not at all. The files are written to a
 * folder next to the target, which is renamed at the end.
 *
 * @throws {SidecardError} `cannot_write`, or `interrupted` when the signal aborted
 */
export async function writeProject(
  target: string,
  files: readonly ProjectFile[],
  { fs = NODE_FS, signal }: WriteOptions,
): Promise<void> {
  await withStaging('project', dirname(target), fs, async (staging) => {
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
  })
}

/**
 * Writes files of a project, completely or not at all. They are written to a
 * folder in the project first, so that a full disk changes nothing, and then
 * renamed. After a failure, the changes are undone.
 *
 * @throws {SidecardError} `cannot_write`, or `interrupted` when the signal aborted
 */
export async function writeFiles(
  folder: string,
  files: readonly FileWrite[],
  { fs = NODE_FS, signal }: WriteOptions,
): Promise<void> {
  /* oxlint-disable no-await-in-loop -- one after the other, so that the changes can be undone */
  await withStaging('files', folder, fs, async (staging, undo) => {
    const staged = (index: number, name: 'new' | 'old') => join(staging, `${index}-${name}`)
    for (const [index, { path, content, before, mode: newMode = 0o666 }] of files.entries()) {
      signal?.throwIfAborted()
      const mode = before === undefined ? newMode : (await stat(join(folder, path))).mode
      await fs.writeFile(staged(index, 'new'), content, { flag: 'wx', mode })
      if (before !== undefined) {
        await fs.writeFile(staged(index, 'old'), before, { flag: 'wx', mode })
      }
    }
    for (const [index, { path, before }] of files.entries()) {
      signal?.throwIfAborted()
      const link = join(folder, path)
      const target = before === undefined ? link : await realpath(link)
      const created = await fs.mkdir(dirname(target), { recursive: true })
      if (typeof created === 'string') undo.unshift(() => remove(created, fs))
      await fs.rename(staged(index, 'new'), target)
      undo.unshift(() =>
        before === undefined ? remove(target, fs) : fs.rename(staged(index, 'old'), target),
      )
    }
    signal?.throwIfAborted()
  })
}

/** Runs an action with a new folder, which is removed at the end. A failure undoes the last change first. */
async function withStaging(
  what: 'project' | 'files',
  parent: string,
  fs: ProjectFs,
  action: (staging: string, undo: Array<() => Promise<void>>) => Promise<void>,
): Promise<void> {
  const staging = join(parent, `.sidecard-${randomUUID().slice(0, 8)}`)
  const undo = [() => remove(staging, fs)]
  try {
    await fs.mkdir(staging)
    await action(staging, undo)
  } catch (error) {
    let isUndone = true
    for (const step of undo) await step().catch(() => (isUndone = false))
    const rest = isUndone
      ? 'No files were left behind.'
      : `Remove the folder ${basename(staging)} by hand.`
    if (error instanceof Error && error.name === 'AbortError') {
      throw new SidecardError('interrupted', `Interrupted. ${rest}`)
    }
    const message = `Cannot write the ${what} (${explainFileError(error)}). ${rest}`
    throw new SidecardError('cannot_write', message, { cause: error })
  }
  // All files are written, and an empty folder that remains does no harm.
  await remove(staging, fs).catch(() => undefined)
}

function remove(path: string, fs: ProjectFs): Promise<void> {
  return fs.rm(path, { recursive: true, force: true, maxRetries: 3 })
}
