import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../../scripts/chromium.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The built package without the other files of the repository, to be packed. */
export const PACKAGE_FOLDER = join(root, '.scratch/package')

/**
 * Builds the package, because projects import it, and unpacks the browser, once
 * for all files. An equal build stays, because other programs may use it.
 */
export async function setup(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'pipe' })
  rmSync(PACKAGE_FOLDER, { recursive: true, force: true })
  for (const path of ['package.json', 'dist', 'recipes', 'schema', 'templates']) {
    cpSync(join(root, path), join(PACKAGE_FOLDER, path), { recursive: true })
  }
  await findChromium()
}
