#!/usr/bin/env node
// Nothing here or imported here may need a newer Node than the one it refuses.
import { refusalOfNode } from './node-version.ts'

const refusal = refusalOfNode(process.versions.node)
if (refusal === undefined) {
  const { runCli } = await import('./program.ts')
  const { processIo } = await import('./io.ts')
  process.exitCode = await runCli(process.argv.slice(2), processIo())
} else {
  process.stderr.write(`${refusal}\n`)
  process.exitCode = 2
}
