import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../../scripts/chromium.ts'

/**
 * Builds the package, because projects import it, and unpacks the browser, once
 * for all files. An equal build stays, because other programs may use it.
 */
export async function setup(): Promise<void> {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'pipe' })
  await findChromium()
}
