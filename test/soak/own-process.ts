import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Soak, SoakResult } from './soak.ts'

/**
 * V8 pools some 150 MB, on a machine that has them, for objects that live a
 * while and go, as those of any cache do; held at 16, what is left is our growth.
 */
const FLAGS = ['--expose-gc', '--max-semi-space-size=16']

/** A soak that measures memory: in a process that holds nothing else. */
export function inProcessOfItsOwn(file: string): Soak {
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
