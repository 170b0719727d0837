/**
 * `node test/farm/run.ts`: checks every seeded defect and every conformant twin, and prints
 * what was found, advised and missed by group. Fails if a seed has a worse outcome
 * than in record.json, if a seed that harms is missed, if a program does not start,
 * if a twin fails, or if no seed is missed without one of the rules. A language that
 * is not installed is skipped with a line.
 *
 * `--record` writes record.json, unless a harm seed is missed or a twin fails.
 * `--pairs 5` combines each defect that harms with five draws of harmless ones instead
 * of 20, `--twins 10` checks each twin ten times, and `--weaken` counts the seeds that only
 * one rule finds. Another argument selects the seeds whose ID contains it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createLimiter } from '../../src/tools/check/probes/limiter.ts'
import { RULES } from '../../src/tools/check/rules/index.ts'
import { createLauncher, isInstalled } from './languages/program.ts'
import {
  checkSeed,
  evaluateSeed,
  HARM,
  type Outcome,
  PROGRAM_SEEDS,
  redRules,
  SEEDS,
  weaken,
} from './farm.ts'
import { MISSES } from './misses.ts'
import { drawHarmless, HARMFUL, isNeverHidden } from './pairs.ts'
import type { FarmRecord } from './record.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    weaken: { type: 'boolean', default: false },
    twins: { type: 'string', default: '1' },
    pairs: { type: 'string', default: '20' },
  },
})
const CONCURRENCY = 3
const WORSE: Readonly<Record<Outcome, number>> = { found: 0, advised: 1, missed: 2 }
const path = new URL('record.json', import.meta.url)
const recorded = JSON.parse(readFileSync(path, 'utf8')) as FarmRecord
const before = (group: string, id: string): Outcome =>
  (['advised', 'missed'] as const).find((each) => recorded.groups[group]?.[each].includes(id)) ??
  'found'
const print = (line: string) => process.stdout.write(`${line}\n`)

const absent = [...new Set(PROGRAM_SEEDS.map(({ language }) => language))].filter(
  (language) => !isInstalled(language),
)
for (const language of absent) print(`SKIPPED: ${language} is not installed.`)
if (values.record && absent.length > 0) throw new Error('Install every language before --record.')
const all = [...SEEDS, ...PROGRAM_SEEDS.filter(({ language }) => !absent.includes(language))]
const selected = all.filter(({ id }) => positionals.every((each) => id.includes(each)))
const launcher = createLauncher(PROGRAM_SEEDS)

/** What no record can allow. */
const problems: string[] = []
/** What is worse than in the record. */
const worse: string[] = []
const outcomes = new Map<string, Outcome>()
/** The seeds that each rule reports, and those of them that no other right rule reports. */
const reported = new Map<string, number>()
const killed = new Map<string, number>()
const count = (counts: Map<string, number>, rule: string) =>
  counts.set(rule, (counts.get(rule) ?? 0) + 1)
const twins = new Set<string>()

async function checkDefect(seed: (typeof all)[number]) {
  const report = await checkSeed(seed, 'defect', launcher)
  const outcome = evaluateSeed(report, seed)
  outcomes.set(seed.id, outcome)
  for (const { rule, findings } of report.results) {
    if (findings.length === 0) continue
    count(reported, rule)
    if (WORSE[evaluateSeed(weaken(report, rule), seed)] > WORSE[outcome]) count(killed, rule)
  }
  const was = before(seed.group, seed.id)
  const line = `${seed.id}: ${outcome}, was ${was}. Failing rules: ${redRules(report).join(', ')}`
  if (outcome === 'missed' && HARM.has(seed.group)) problems.push(line)
  else if (WORSE[outcome] > WORSE[was]) worse.push(line)
}

async function checkTwin(seed: (typeof all)[number]) {
  const twin = 'language' in seed ? seed.language + seed.twin : seed.id
  if (twins.has(twin)) return
  twins.add(twin)
  for (let turn = 0; turn < Number(values.twins); turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each seed has one slot
    const report = await checkSeed(seed, 'twin', launcher)
    const red = redRules(report)
    if (red.length > 0) problems.push(`${seed.id}: its conformant twin fails: ${red.join(', ')}`)
  }
}

async function checkPairs(seed: (typeof all)[number]) {
  const harmful = HARMFUL.find((each) => each === seed)
  if (harmful === undefined) return
  for (let turn = 0; turn < Number(values.pairs); turn += 1) {
    const harmless = drawHarmless(HARMFUL.indexOf(harmful), turn)
    // oxlint-disable-next-line no-await-in-loop -- each seed has one slot
    if (await isNeverHidden(harmful, harmless)) continue
    problems.push(`${seed.id}: hidden by ${harmless.join(', ')}`)
  }
}

const startedAt = performance.now()
const run = createLimiter(CONCURRENCY)
try {
  await Promise.all(
    selected.map((seed) =>
      run(async () => {
        try {
          await checkDefect(seed)
          await checkTwin(seed)
          await checkPairs(seed)
        } catch (error) {
          problems.push(String(error))
        }
      }),
    ),
  )
} finally {
  launcher.remove()
}

const now: Record<string, { seeds: number; advised: string[]; missed: string[] }> = {}
for (const { id, group } of selected) {
  const row = (now[group] ??= { seeds: 0, advised: [], missed: [] })
  row.seeds += 1
  const outcome = outcomes.get(id) ?? 'missed'
  if (outcome !== 'found') row[outcome].push(id)
}
print(`${'group'.padEnd(24)}   found advised  missed`)
for (const [group, { seeds, advised, missed }] of Object.entries(now)) {
  const found = seeds - advised.length - missed.length
  const counts = [found, advised.length, missed.length].map((each) => String(each).padStart(8))
  print(`${group.padEnd(24)}${counts.join('')}`)
}
for (const id of Object.values(now).flatMap(({ missed }) => missed)) {
  print(`missed: ${id}: ${MISSES[id] ?? 'no reason'}`)
  if (!(id in MISSES)) problems.push(`${id}: add the reason to misses.ts`)
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
print(`${selected.length} seeds and ${twins.size} twins × ${values.twins} in ${seconds} s`)
const rules = RULES.map(({ id }) => id)
const silent = rules.filter((id) => !reported.has(id))
const dead = rules.filter((id) => reported.has(id) && !killed.has(id))
if (values.weaken) {
  const proved = rules.filter((id) => killed.has(id)).map((id) => `${id} ${killed.get(id)}`)
  print(`found by one rule only (${proved.length} rules): ${proved.join(', ')}`)
}
if (positionals.length === 0) {
  problems.push(
    ...silent.map((id) => `${id}: no seed proves the rule`),
    ...dead.map((id) => `${id}: other rules find all of its seeds`),
  )
}
const mayRecord = values.record && problems.length === 0 && positionals.length === 0
if (mayRecord) {
  const counts = rules.map((id) => [id, killed.get(id) ?? 0] as const)
  const record: FarmRecord = { groups: now, killed: Object.fromEntries(counts), silent, dead }
  writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`)
}
print([...(mayRecord ? ['recorded'] : []), ...worse, ...problems].join('\n'))
if (problems.length > 0 || (worse.length > 0 && !mayRecord)) process.exitCode = 1
