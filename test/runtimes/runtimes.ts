import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const bin = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))

/** The runtimes, with the command of each. */
export const RUNTIMES: readonly (readonly [name: string, program: string, args: string[]])[] = [
  ['Node', process.execPath, []],
  ['Bun', bin('bun'), ['run']],
  ['Deno', bin('deno'), ['run', '--quiet', '--no-lock', '--cached-only', '--allow-net']],
]

/** Runs a program of this folder on a runtime and reads the JSON that it prints. */
export async function runOn(
  [, program, args]: (typeof RUNTIMES)[number],
  file: string,
  rest: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const { stdout } = await promisify(execFile)(program, [...args, path, ...rest], {
    env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', ...env },
  })
  return JSON.parse(stdout)
}
