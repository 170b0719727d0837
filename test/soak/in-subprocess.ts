import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Soak, SoakResult } from './soak.ts'

/**
 * On a machine with enough memory, V8 keeps about 150 MB for objects of medium
 * lifetime, such as those of a cache. Limited to 16 MB, only real growth remains.
 */
const FLAGS = ['--expose-gc', '--max-semi-space-size=16']

/** Creates a soak that runs in its own process, so that its memory can be measured. */
export function inSubprocess(file: string): Soak {
  const program = fileURLToPath(new URL(file, import.meta.url))
  return async ({ count }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...FLAGS,
      program,
      String(count),
    ])
    return JSON.parse(stdout) as SoakResult
  }
}
