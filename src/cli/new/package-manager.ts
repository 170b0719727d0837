import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'

/** The package managers that can install a project. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof PACKAGE_MANAGERS)[number]

/**
 * Returns the package manager that started this process, as in `pnpm create
 * sidecard`, or npm by default.
 */
export function detectPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split('/')[0]
  return PACKAGE_MANAGERS.find((each) => each === name) ?? 'npm'
}

/** Returns the command that runs the tests. */
export function testCommand(manager: PackageManager): string {
  // "bun test" would start Bun's own test runner.
  return manager === 'bun' ? 'bun run test' : `${manager} test`
}

/**
 * Runs a program in a folder.
 *
 * @param output where its output appears; `stderr` keeps standard output for JSON
 * @returns whether it succeeded
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  output: 'inherit' | 'stderr' | 'ignore',
): Promise<boolean> {
  const stdio: StdioOptions = output === 'stderr' ? ['inherit', 2, 2] : output
  const child = spawn(program, args, { cwd, stdio, shell: process.platform === 'win32' })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  } catch {
    return false
  }
}
