import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { explainFileError } from './file-error.ts'
import type { CliContext } from './io.ts'
import { isSidecardError } from '../../runtime/internal/errors.ts'
import { decodeText } from './local-secrets.ts'
import { usageError } from './run-command.ts'

/** The maximum size of a file, which parsing keeps in memory several times. */
const MAX_BYTES = 100_000_000

/**
 * Reads a file, or standard input for `-`, as text without a byte order mark.
 *
 * @throws {SidecardError} `usage` for a file that cannot be read or exceeds 100 MB
 */
export async function readInput(source: string, io: CliContext): Promise<string> {
  const path = resolve(io.cwd, source)
  const name = source === '-' ? 'standard input' : JSON.stringify(path)
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of source === '-' ? io.stdin : createReadStream(path)) {
      size += chunk.length
      if (size > MAX_BYTES) throw usageError(`Cannot read ${name}: it exceeds 100 MB.`)
      chunks.push(Buffer.from(chunk as Uint8Array))
    }
    return decodeText(Buffer.concat(chunks))
  } catch (error) {
    if (isSidecardError(error)) throw error
    const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/.test(source)
      ? ' A URL starts with http:// or https://.'
      : ''
    throw usageError(`Cannot read ${name}: ${explainFileError(error)}.${hint}`)
  }
}
