import { readFileSync } from 'node:fs'
import type { Mutant } from './mutants.ts'

type Identity = Pick<Mutant, 'file' | 'code' | 'original' | 'replacement'>

/** The lines of equivalent.txt that are mutants. */
const listed = new Set(
  readFileSync(new URL('equivalent.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t')),
)

function lineOf({ file, code, original, replacement }: Identity): string {
  return [file, code, original, replacement]
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .join('\t')
}

/** Returns whether a mutant is listed as equivalent. */
export function isEquivalent(mutant: Identity): boolean {
  return listed.has(lineOf(mutant))
}

/**
 * Checks that each listed mutant of these files still exists, so that the list does not hide
 * other ones.
 *
 * @throws {Error} with the lines of those that do not
 */
export function assertListed(files: readonly string[], all: readonly Identity[]): void {
  const existing = new Set(all.map(lineOf))
  const outdated = [...listed].filter(
    (line) => files.includes(line.slice(0, line.indexOf('\t'))) && !existing.has(line),
  )
  if (outdated.length === 0) return
  throw new Error(`Remove from equivalent.txt:\n${outdated.join('\n')}`)
}
