import { z } from 'zod'
import { closestMatch } from '../../runtime/internal/closest-match.ts'
import { SidecardError } from '../../runtime/internal/errors.ts'
import { escapeForDisplay, quote } from '../internal/escape-for-display.ts'

/** The path of a value in a file. */
export type Path = readonly PropertyKey[]

/** Returns the place of a value, such as `sidecard.json:12`. */
export type FindPlace = (path: Path) => string

/**
 * Creates an error with the place, the property and the problem. `problem`
 * completes the sentence.
 */
export function problemAt(findPlace: FindPlace, path: Path, problem: string): SidecardError {
  const subject = escapeForDisplay(z.core.toDotPath([...path]), 300) || 'the file'
  const sentence = `${findPlace(path)}: ${subject} ${problem}.`
  return new SidecardError('invalid_project', sentence.replace(/\?\.$/, '?'))
}

/** Suggests the nearest known name, or lists ten of them. */
export function suggestName(what: string, given: string, known: readonly string[]): string {
  const nearest = closestMatch(given, known)
  if (nearest !== undefined) return `Did you mean ${quote(nearest)}?`
  const shown = known.slice(0, 10).map((name) => quote(name, 40))
  return shown.length === 0 ? `There are no ${what}` : `The ${what} are ${shown.join(', ')}`
}
