#!/usr/bin/env node
// This module and its imports must run on the old Node versions that it rejects.
import { unsupportedNodeMessage } from './node-version.ts'

const unsupported = unsupportedNodeMessage(process.versions.node)
if (unsupported === undefined) {
  const { runProcess } = await import('./process.ts')
  await runProcess(process.argv.slice(2))
} else {
  process.stderr.write(`${unsupported}\n`)
  process.exitCode = 2
}
