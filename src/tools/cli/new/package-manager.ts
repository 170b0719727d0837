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

/**
 * The arguments and variables that install development dependencies as well, whatever NODE_ENV
 * and the settings of npm are. Yarn gets a variable, because its later versions reject the flag.
 */
const INSTALLATIONS: Readonly<
  Record<PackageManager, readonly [args: readonly string[], env?: NodeJS.ProcessEnv]>
> = {
  npm: [['install', '--include=dev']],
  pnpm: [['install', '--prod=false']],
  yarn: [['install'], { NPM_CONFIG_PRODUCTION: 'false' }],
  bun: [['install']],
}

/**
 * Installs all packages of a project, including its development dependencies.
 *
 * @returns whether it succeeded
 */
export function installPackages(
  manager: PackageManager,
  folder: string,
  output: 'inherit' | 'stderr',
): Promise<boolean> {
  const [args, env] = INSTALLATIONS[manager]
  return runProgram(manager, args, folder, output, env)
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
 * @param env variables that override those of this process, in upper or lower case
 * @returns whether it succeeded
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  output: 'inherit' | 'stderr' | 'ignore',
  env: NodeJS.ProcessEnv = {},
): Promise<boolean> {
  const inherited = Object.entries(process.env).filter(([name]) => !(name.toUpperCase() in env))
  const stdio: StdioOptions = output === 'stderr' ? ['inherit', 2, 2] : output
  const child = spawn(program, args, {
    cwd,
    stdio,
    env: { ...Object.fromEntries(inherited), ...env },
    shell: process.platform === 'win32',
  })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  } catch {
    return false
  }
}
