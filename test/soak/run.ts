/**
 * `node test/soak/run.ts [name …] [--seed 7]`: runs load and faults at full size, and
 * prints the figures. Exits with 1 if a soak has failures.
 */
import { parseArgs } from 'node:util'
import { SOAKS } from './soaks.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, scale: { type: 'string', default: '1' } },
})
const chosen = SOAKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
for (const { name, description, count, soak } of chosen) {
  const started = performance.now()
  const size = Math.max(1, Math.round(count * Number(values.scale)))
  // oxlint-disable-next-line no-await-in-loop -- in parallel, they would disturb each other
  const { figures, failures } = await soak({ count: size, seed: Number(values.seed) })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`\n${failures.length === 0 ? '✓' : '✗'} ${name}: ${description} (${seconds} s)`)
  for (const [figure, value] of Object.entries(figures)) console.log(`    ${figure}: ${value}`)
  for (const failure of failures) console.log(`    ✗ ${failure.slice(0, 300)}`)
  if (failures.length > 0) process.exitCode = 1
}
if (chosen.length === 0) {
  console.error(`Unknown soak. Use one of ${SOAKS.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
}
