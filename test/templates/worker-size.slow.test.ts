import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { createScaffold } from '../helpers/scaffold.ts'

/** As in `test/size`, with what wrangler adds. */
const MAX_GZIPPED_BYTES = 41_000

const wrangler = fileURLToPath(
  new URL('../../node_modules/wrangler/bin/wrangler.js', import.meta.url),
)
const workers = TEMPLATES.filter(({ host }) => host.name === 'workers')

test.each(workers)(
  'wrangler accepts the template $name, minified and below the limit',
  async ({ name }) => {
    const { folder } = await createScaffold(name)
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'out']
    const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env,
    })
    if (status !== 0) throw new Error(stdout + stderr)
    const bundle = readFileSync(join(folder, 'out/index.js'))
    expect(gzipSync(bundle).length).toBeLessThan(MAX_GZIPPED_BYTES)
    // Minified code has long lines.
    expect(bundle.length / bundle.toString().split('\n').length).toBeGreaterThan(1_000)
  },
  60_000,
)
