import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { usageError } from './run-command.ts'

/**
 * Requires that a file does not exist, or that `isOwn` recognizes its content as
 * written by the same command.
 *
 * @throws {SidecardError} `usage`
 */
export async function assertMayWrite(
  path: string,
  kind: string,
  isOwn: (content: string) => boolean,
): Promise<void> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw usageError(`Cannot write ${JSON.stringify(path)}. Choose a file name.`)
  }
  if (!isOwn(content)) {
    throw usageError(`${JSON.stringify(path)} exists and is not ${kind}. Choose another file.`)
  }
}

/**
 * Writes a file, and creates its folder.
 *
 * @throws {SidecardError} `usage`
 */
export async function saveFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch {
    throw usageError(`Cannot write ${JSON.stringify(path)}. Check the folder and its permissions.`)
  }
}
