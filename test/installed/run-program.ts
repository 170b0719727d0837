import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environment } from './environment.ts'

/** Runs a program as a user does, and returns its output, even if it fails. */
export function runProgram(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; output: string }> {
  return promisify(execFile)(program, [...args], {
    cwd,
    env: { ...environment(), ...env },
    maxBuffer: 64e6,
  }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
    (error: { code?: number; stdout: string; stderr: string }) => ({
      exitCode: typeof error.code === 'number' ? error.code : 1,
      output: error.stdout + error.stderr,
    }),
  )
}

/** Runs a program, and throws its output if it fails. */
export async function runOrThrow(...call: Parameters<typeof runProgram>): Promise<string> {
  const { exitCode, output } = await runProgram(...call)
  if (exitCode !== 0) throw new Error(output)
  return output
}

/** Returns whether packages can be installed. An empty cache, because npm would answer from its own. */
export async function reachesRegistry(): Promise<boolean> {
  const cache = mkdtempSync(join(tmpdir(), 'sidecard-npm-cache-'))
  const options = ['--fetch-retries=0', '--fetch-timeout=20000', '--cache', cache]
  const { exitCode } = await runProgram(cache, 'npm', ['view', 'hono', 'version', ...options])
  rmSync(cache, { recursive: true, force: true })
  return exitCode === 0
}
