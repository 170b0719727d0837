import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a program in the repository, as an npm script would. If it fails, this process ends with its exit code. */
export function runProgram(name: string, ...args: readonly string[]): void {
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const { status, error } = spawnSync(name, args, {
    cwd: root,
    env: { ...process.env, PATH },
    stdio: 'inherit',
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
