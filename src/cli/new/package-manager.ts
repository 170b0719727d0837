import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The package managers that a project can be installed with. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof PACKAGE_MANAGERS)[number]

/** The one that runs this process, as in `pnpm create sidecard`; npm otherwise. */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split('/')[0]
  return PACKAGE_MANAGERS.find((each) => each === name) ?? 'npm'
}

/** Runs a program in a folder. @returns whether it ended well */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  stdio: 'inherit' | 'ignore',
): Promise<boolean> {
  const child = spawn(program, args, { cwd, stdio, shell: process.platform === 'win32' })
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  } catch {
    return false
  }
}
