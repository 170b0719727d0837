/**
 * `node scripts/bench.ts`: measures what docs/performance.md says, and writes that page.
 * `node scripts/bench.ts caches --rounds 3` prints this part, and writes nothing.
 */
import { runProgram } from './run-program.ts'

const OPTIONS = ['--no-audit', '--no-fund', '--no-package-lock', '--silent']

runProgram('npm', 'run', 'build', '--silent')
runProgram('npm', 'install', '--prefix', 'bench/libraries', ...OPTIONS)
runProgram('node', 'bench/run.ts', ...process.argv.slice(2))
