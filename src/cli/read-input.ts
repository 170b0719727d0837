import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import type { CliContext } from './io.ts'
import { usageError } from './run-command.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'no permission',
}

/** Larger files do not fit into memory several times, which parsing needs. */
const MAX_BYTES = 100_000_000

/**
 * Reads a file, or standard input for `-`, as UTF-8 without a byte order mark.
 *
 * @throws {SidecardError} `usage` for a file that cannot be read or exceeds 100 MB
 */
export async function readInput(source: string, io: CliContext): Promise<string> {
  if (source === '-') return readAll(io.stdin, 'standard input')
  const path = resolve(io.cwd, source)
  const name = JSON.stringify(path)
  try {
    return await readAll(createReadStream(path), name)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'usage') throw error
    const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]|$)/.test(source)
      ? ' A URL starts with http:// or https://.'
      : ''
    throw usageError(`Cannot read ${name}: ${REASONS[code] ?? code}.${hint}`)
  }
}

async function readAll(stream: AsyncIterable<Uint8Array | string>, name: string): Promise<string> {
  const decoder = new TextDecoder()
  const parts: string[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MAX_BYTES) throw usageError(`Cannot read ${name}: it exceeds 100 MB.`)
    parts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))
  }
  return (parts.join('') + decoder.decode()).replace(/^\uFEFF/, '')
}
