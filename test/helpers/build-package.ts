import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../../scripts/chromium.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * The package in a folder of installed packages. Only there, bundlers and Vitest load its files as
 * they are, as in a user's project.
 */
export const INSTALLED_PACKAGE = join(root, 'node_modules/.cache/sidecard')

/**
 * Builds the package, because projects import it, and unpacks the browser, once
 * for all files. An equal build stays, because other programs may use it.
 */
export async function setup(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'pipe' })
  rmSync(INSTALLED_PACKAGE, { recursive: true, force: true })
  for (const path of ['package.json', 'dist', 'recipes', 'schema', 'templates']) {
    cpSync(join(root, path), join(INSTALLED_PACKAGE, path), { recursive: true })
  }
  // As an installation does.
  chmodSync(join(INSTALLED_PACKAGE, 'dist/cli/bin.js'), 0o755)
  await findChromium()
}
