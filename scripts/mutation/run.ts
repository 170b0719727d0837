/**
 * `npm run mutation [-- area …] [-- --sample 300] [-- --seed 1]`: changes the source in
 * one place at a time, and lists the changes that no test notices. `--files` and
 * `--tests` take globs. `--survivors` runs those of the last run again, after tests have changed.
 * `--continue` goes on with a run that was stopped. `--record` writes the figures into record.json
 * and the README.
 * Exits with 1 if an area scores less than it must.
 */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AREAS, type Area, SLOW_TESTS } from './areas.ts'
import { chooseSample, createMutants, type Mutant } from './mutants.ts'
import { type Plan, forgetUnnoticed, readPlan, readResults, writePlan } from './plan.ts'
import { recordRun, scoreOf } from './record.ts'
import { createReport } from './report.ts'
import { runTestFile } from './test-file.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    files: { type: 'string' },
    tests: { type: 'string' },
    survivors: { type: 'boolean', default: false },
    continue: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})

/** Such a run says nothing about its area. */
const isPartial = values.files !== undefined || values.tests !== undefined

for (const name of positionals.length > 0 ? positionals : Object.keys(AREAS)) {
  const area = AREAS[name]
  if (area === undefined) throw new Error(`Unknown area. Use ${Object.keys(AREAS).join(', ')}.`)
  // oxlint-disable-next-line no-await-in-loop -- in parallel, they would disturb each other
  await runArea(name, area)
}

async function runArea(name: string, area: Area): Promise<void> {
  const folder = join('.scratch-mutation', name)
  const files = find(values.files?.split(',') ?? area.sources).filter((file) =>
    file.endsWith('.ts'),
  )
  const { mutants: all, sources } = await createMutants(files)
  const repeats = values.continue || values.survivors
  if (!repeats) startRun(folder, area, sources, all)
  const plan = readPlan(folder)
  const mutants = plannedMutants(all, sources, plan)
  if (values.survivors) forgetUnnoticed(folder)
  await runTests(folder, area)
  const { survivors, text } = createReport(mutants, readResults(folder))
  const run = {
    date: new Date().toISOString().slice(0, 10),
    mutants: all.length,
    ran: mutants.length,
    seed: plan.seed,
    survivors: survivors.length,
  }
  const score = scoreOf(run)
  writeFileSync(join(folder, 'survivors.txt'), text)
  console.log(
    `${name}: ${mutants.length} of ${all.length} mutants, ${survivors.length} survived, ${score.toFixed(1)} % (at least ${area.lowest} %). See ${folder}/survivors.txt.`,
  )
  if (values.record && !isPartial) recordRun(name, run)
  if (score < area.lowest) process.exitCode = 1
}

function startRun(
  folder: string,
  { slowTestMs = 1_500, sample }: Area,
  sources: Record<string, string>,
  all: readonly Mutant[],
): void {
  const seed = Number(values.seed)
  const mutants = chooseSample(all, Number(values.sample ?? sample ?? all.length), seed)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'children'), { recursive: true })
  writePlan(folder, { sources, mutants: mutants.map(({ id }) => id), seed, slowTestMs })
}

async function runTests(folder: string, area: Area): Promise<void> {
  const slow = find(SLOW_TESTS)
  const tests = find(values.tests?.split(',') ?? area.tests).filter(
    (file) => file.endsWith('.test.ts') && !slow.includes(file),
  )
  // oxlint-disable-next-line no-await-in-loop -- a file skips what an earlier one noticed
  for (const test of tests) await runTestFile(folder, test)
}

function find(globs: readonly string[]): string[] {
  return [...new Set(globs.flatMap((glob) => globSync(glob).sort()))]
}

/** Returns the mutants of a plan. @throws {Error} if the source has changed since */
function plannedMutants(
  all: readonly Mutant[],
  sources: Record<string, string>,
  plan: Plan,
): readonly Mutant[] {
  if (JSON.stringify(plan.sources) !== JSON.stringify(sources)) {
    throw new Error('The source has changed since the last run. Start a new one.')
  }
  const ids = new Set(plan.mutants)
  return all.filter(({ id }) => ids.has(id))
}
