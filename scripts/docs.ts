/**
 * `node scripts/docs.ts`: serves the site, with the pages of docs/. `node scripts/docs.ts build`
 * builds it, fails on a dead link, and tests it in a browser.
 */
import { runProgram } from './run-program.ts'

runProgram('npm', 'ci', '--prefix', 'site', '--no-audit', '--no-fund')
if (process.argv[2] === 'build') {
  runProgram('node', 'node_modules/typescript/bin/tsc', '-p', 'site')
  runProgram('npm', 'run', 'build', '--prefix', 'site')
  runProgram('vitest', 'run', '--config', 'test/site/vitest.config.ts')
} else runProgram('npm', 'run', 'dev', '--prefix', 'site')
