import { randomUUID } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { NODE_FS, writeFailure, type WriteOptions } from '../new/write-project.ts'

/** A new file, or a new content of a file. */
export interface FileWrite {
  readonly path: string
  readonly content: string
  /** The content of an existing file. */
  readonly before?: string
}

/**
 * Writes files of a project, completely or not at all. They are written to a
 * folder in the project first, so that a full disk changes nothing, and then
 * renamed. After a failure, the changes are undone.
 *
 * @throws {SidecardError} `cannot_write`, or `interrupted` when the signal aborted
 */
export async function writeAll(
  folder: string,
  files: readonly FileWrite[],
  { fs = NODE_FS, signal }: WriteOptions,
): Promise<void> {
  const staging = join(folder, `.sidecard-add-${randomUUID().slice(0, 8)}`)
  const staged = (index: number, name: 'new' | 'old') => join(staging, `${index}-${name}`)
  const remove = (path: string) => fs.rm(path, { recursive: true, force: true, maxRetries: 3 })
  /** The last change is undone first. */
  const undo: Array<() => Promise<void>> = [() => remove(staging)]
  /* oxlint-disable no-await-in-loop -- one after the other, so that the changes can be undone */
  try {
    await fs.mkdir(staging)
    for (const [index, { path, content, before }] of files.entries()) {
      signal?.throwIfAborted()
      const mode = before === undefined ? 0o666 : (await stat(join(folder, path))).mode
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
      if (typeof created === 'string') undo.unshift(() => remove(created))
      await fs.rename(staged(index, 'new'), target)
      undo.unshift(() =>
        before === undefined ? remove(target) : fs.rename(staged(index, 'old'), target),
      )
    }
    signal?.throwIfAborted()
  } catch (error) {
    let isUndone = true
    for (const step of undo) await step().catch(() => (isUndone = false))
    throw writeFailure('recipe', error, isUndone, basename(staging))
  }
  // The project is complete. An empty folder that cannot be removed does no harm.
  await remove(staging).catch(() => undefined)
}
