#!/usr/bin/env node
// `npm create sidecard@latest name` is `sidecard new name`: this package only passes it on.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('cli/bin.js', import.meta.resolve('sidecard')))
const { status } = spawnSync(process.execPath, [bin, 'new', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
