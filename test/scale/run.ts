/**
 * `node test/scale/run.ts [node] [workers] [--seconds 10]`: the billing example
 * on several processes, and KV and D1 in workerd, under load. Prints the figures.
 * Exits with code 1 if a scenario fails or a program is not installed.
 */
import { parseArgs } from 'node:util'
import { runOnNode } from './node.ts'
import { runOnWorkers } from './workers.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '10' } },
})
const RUNS = { node: runOnNode, workers: runOnWorkers }
for (const [name, run] of Object.entries(RUNS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  // oxlint-disable-next-line no-await-in-loop -- in parallel, they would disturb each other
  const figures = await run(Number(values.seconds))
  console.log(`\n✓ ${name}`)
  for (const [figure, value] of Object.entries(figures)) console.log(`    ${figure}: ${value}`)
}
