#!/usr/bin/env node
// `npm create sidecard@latest name` runs `sidecard new name`.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Not import.meta.resolve: an unsupported Node must still get the one line that says so.
const manifest = createRequire(import.meta.url).resolve('sidecard/package.json')
const bin = join(manifest, '../dist/cli/bin.js')
const { status } = spawnSync(process.execPath, [bin, 'new', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
