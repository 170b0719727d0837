import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the run tells the process of a test file. It lies in a folder, whose name is in `MUTATION_FOLDER`. */
export interface Plan {
  /** Source file → its content with all mutants in it, switched off. */
  readonly sources: Readonly<Record<string, string>>
  /** IDs of the mutants that are run. */
  readonly mutants: readonly string[]
  /** It chose the mutants. */
  readonly seed: number
  /** Tests that take longer do not run again for each mutant. */
  readonly slowTestMs: number
}

/** One line of the results: what the tests of a file did with a mutant. */
export interface Result {
  readonly mutant: string
  /** `ended`: it ended the process, or hung until the process was ended. */
  readonly status: 'started' | 'noticed' | 'unnoticed' | 'ended'
  readonly file: string
  /** How long the tests that are started take without a mutant. */
  readonly usualMs?: number
  /** The name of the test that noticed it. */
  readonly test?: string
}

/** The folder of this run. */
export function runFolder(): string {
  const folder = process.env['MUTATION_FOLDER']
  if (folder === undefined) throw new Error('Run `npm run mutation`: it sets MUTATION_FOLDER.')
  return folder
}

/** Writes the plan, and starts with no results. */
export function writePlan(folder: string, plan: Plan): void {
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
  writeFileSync(join(folder, 'results.jsonl'), '')
}

/** Reads the plan. */
export function readPlan(folder: string): Plan {
  return JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as Plan
}

/** Adds a line to the results. */
export function addResult(folder: string, result: Result): void {
  appendFileSync(join(folder, 'results.jsonl'), `${JSON.stringify(result)}\n`)
}

/** Reads the results so far. */
export function readResults(folder: string): Result[] {
  return readFileSync(join(folder, 'results.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result)
}

/** Returns whether a result shows that a mutant was noticed. */
export function isNoticed({ status }: Result): boolean {
  return status === 'noticed' || status === 'ended'
}

/** Removes the mutants that no test noticed from the results, so that they run again. */
export function forgetUnnoticed(folder: string): void {
  const noticed = readResults(folder).filter(isNoticed)
  writeFileSync(join(folder, 'results.jsonl'), '')
  for (const result of noticed) addResult(folder, result)
}

/** The mutants that need no run with this test file: it was noticed, or this file has run it. */
export function decidedMutants(results: readonly Result[], file: string): Set<string> {
  return new Set(
    results
      .filter(
        (result) => isNoticed(result) || (result.status === 'unnoticed' && result.file === file),
      )
      .map(({ mutant }) => mutant),
  )
}
