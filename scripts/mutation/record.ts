import { readFileSync, writeFileSync } from 'node:fs'

/** The last recorded run of an area. */
export interface RecordedRun {
  readonly date: string
  /** All mutants of the area. */
  readonly mutants: number
  /** Those that ran: all, or a sample that the seed chose. */
  readonly ran: number
  readonly seed: number
  readonly survivors: number
}

/** The recorded runs by area. */
export type MutationRecord = Readonly<Record<string, RecordedRun>>

const recordFile = new URL('record.json', import.meta.url)
const readmeFile = new URL('README.md', import.meta.url)
const TABLE = /^\| Area (?:.*\n\|)*.*\n/m

/** Reads the record. */
export function readRecord(): MutationRecord {
  return JSON.parse(readFileSync(recordFile, 'utf8')) as MutationRecord
}

/** Records a run, and writes the table of the README. */
export function recordRun(area: string, run: RecordedRun): void {
  const record = Object.fromEntries(
    Object.entries({ ...readRecord(), [area]: run }).sort(([a], [b]) => a.localeCompare(b)),
  )
  writeFileSync(recordFile, `${JSON.stringify(record, undefined, 2)}\n`)
  const readme = readFileSync(readmeFile, 'utf8')
  writeFileSync(readmeFile, readme.replace(TABLE, createTable(record)))
}

/** The share of the mutants that ran that a test noticed, in percent. */
export function scoreOf({ ran, survivors }: RecordedRun): number {
  return ran === 0 ? 100 : (100 * (ran - survivors)) / ran
}

/** Creates the table of the README. */
export function createTable(record: MutationRecord): string {
  const rows = Object.entries(record).map(([area, run]) => [
    `\`${area}\``,
    run.date,
    run.mutants.toLocaleString('en'),
    run.ran === run.mutants ? 'all' : `${run.ran.toLocaleString('en')}, seed ${run.seed}`,
    String(run.survivors),
    `${scoreOf(run).toFixed(1)} %`,
  ])
  const head = ['Area', 'Date', 'Mutants', 'Ran', 'Survived', 'Score']
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...rows].map(line).join('')
}
