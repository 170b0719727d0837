import type { Mutant } from './mutants.ts'
import { isNoticed, type Result } from './plan.ts'

/** What the tests of an area noticed. */
export interface Report {
  readonly survivors: readonly Mutant[]
  /** The survivors, with the change that each one is. */
  readonly text: string
}

/** Counts the mutants that no test noticed. */
export function createReport(mutants: readonly Mutant[], results: readonly Result[]): Report {
  const covered = new Set(results.map(({ mutant }) => mutant))
  const noticed = new Set(results.filter(isNoticed).map(({ mutant }) => mutant))
  const survivors = mutants
    .filter(({ id }) => !noticed.has(id))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  return {
    survivors,
    text: survivors.map((mutant) => describeMutant(mutant, covered.has(mutant.id))).join('\n'),
  }
}

function describeMutant(
  { file, line, mutator, original, replacement }: Mutant,
  isCovered: boolean,
): string {
  const where = `${file}:${line} ${mutator}${isCovered ? '' : ' (no test runs it)'}`
  return `${where}\n- ${excerpt(original)}\n+ ${excerpt(replacement)}\n`
}

function excerpt(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}
