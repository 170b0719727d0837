import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Compiles the package, because projects import its build. The workspace is not part of it. */
export function setup(): void {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const compiler = 'node_modules/typescript/bin/tsc'
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', 'src/tsconfig.build.json'],
    {
      cwd,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stdout)
}
