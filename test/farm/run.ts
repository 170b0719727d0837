/**
 * `npm run farm`: checks every seeded defect and every conformant twin, and prints
 * what was found, advised and missed by group. Fails if a seed has a worse outcome
 * than in record.json, or if a twin fails. `--record` writes record.json, and any
 * other argument selects the seeds whose ID contains it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { checkParts, evaluateSeed, type Outcome, redRules, SEEDS } from './farm.ts'

/** What the farm found when it was recorded: the seeds of each group, by outcome other than `found`. */
export type FarmRecord = Readonly<
  Record<string, { readonly seeds: number; readonly advised: string[]; readonly missed: string[] }>
>

const WORSE: Readonly<Record<Outcome, number>> = { found: 0, advised: 1, missed: 2 }
const path = new URL('record.json', import.meta.url)
const recorded = JSON.parse(readFileSync(path, 'utf8')) as FarmRecord
const [argument] = process.argv.slice(2)
const isRecording = argument === '--record'
const selected = isRecording ? SEEDS : SEEDS.filter(({ id }) => id.includes(argument ?? ''))
const before = (group: string, id: string): Outcome =>
  (['advised', 'missed'] as const).find((each) => recorded[group]?.[each].includes(id)) ?? 'found'

const now: Record<string, { seeds: number; advised: string[]; missed: string[] }> = {}
const lines: string[] = []
const startedAt = performance.now()
for (const seed of selected) {
  const { id, group } = seed
  const report = await checkParts(seed.defect())
  const outcome = evaluateSeed(report, seed)
  const row = (now[group] ??= { seeds: 0, advised: [], missed: [] })
  row.seeds += 1
  if (outcome !== 'found') row[outcome].push(id)
  if (WORSE[outcome] > WORSE[before(group, id)]) {
    lines.push(
      `${id}: ${outcome}, was ${before(group, id)}. Failing rules: ${redRules(report).join(', ')}`,
    )
  }
  const red = redRules(await checkParts(seed.twin?.() ?? {}))
  if (red.length > 0) lines.push(`${id}: its conformant twin fails: ${red.join(', ')}`)
}
process.stdout.write(`${'group'.padEnd(24)}   found advised  missed\n`)
for (const [group, { seeds, advised, missed }] of Object.entries(now)) {
  const found = seeds - advised.length - missed.length
  const counts = [found, advised.length, missed.length].map((count) => String(count).padStart(8))
  process.stdout.write(`${group.padEnd(24)}${counts.join('')}\n`)
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
process.stdout.write(`${selected.length} seeds and their twins in ${seconds} s\n`)
if (isRecording) writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`)
else if (lines.length > 0) {
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}
