import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { SidecardError } from '../../runtime/internal/errors.ts'
import { explainFileError } from './file-error.ts'
import { usageError } from './run-command.ts'

/**
 * Requires that a file does not exist, or that it is writable and `isOwn`
 * recognizes its content as written by the same command.
 *
 * @returns whether it exists
 * @throws {SidecardError} `usage`
 */
export async function assertMayWrite(
  path: string,
  kind: string,
  isOwn: (content: string) => boolean,
): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return false
  try {
    await (await open(path, 'a')).close()
    if (!found.isFile() || isOwn(await readFile(path, 'utf8'))) return true
  } catch (error) {
    throw cannotWrite(path, error)
  }
  throw usageError(`${JSON.stringify(path)} exists and is not ${kind}. Choose another file.`)
}

/**
 * Writes a file, and creates its folder.
 *
 * @throws {SidecardError} `usage`
 */
export async function saveFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeWhole(path, text)
  } catch (error) {
    throw cannotWrite(path, error)
  }
}

/** Creates the error of a file that cannot be written. */
export function cannotWrite(path: string, error: unknown): SidecardError {
  return usageError(`Cannot write ${JSON.stringify(path)}: ${explainFileError(error)}.`)
}

/**
 * Writes a file completely or not at all: it is written to a temporary file and
 * renamed. A device, a pipe or a mounted file cannot be replaced and is written
 * directly.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const existing = await stat(target).catch(() => undefined)
  if (existing?.isFile() === false) return writeFile(target, text)
  const staged = join(dirname(target), `.${basename(target)}-${randomUUID().slice(0, 8)}`)
  try {
    await writeFile(staged, text, { flag: 'wx', mode: existing?.mode ?? 0o666 })
    await rename(staged, target)
  } catch (error) {
    await rm(staged, { force: true })
    const { code = '' } = error as NodeJS.ErrnoException
    if (existing === undefined || code === 'ENOSPC' || code === 'EDQUOT') throw error
    await writeFile(target, text)
  }
}
