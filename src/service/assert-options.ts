import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import { SidecardError } from '../internal/errors.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'

/** Longer timers overflow and fire immediately. */
const MAX_TIMEOUT_MS = 2_147_483_647

/**
 * Rejects option values that the types forbid but plain JavaScript can pass.
 *
 * @throws {SidecardError} `invalid_options`, with the name of the option
 */
export function assertOptions(options: {
  readonly timeoutMs?: unknown
  readonly maxBodyBytes?: unknown
  readonly width?: unknown
  readonly timeZone?: unknown
}): void {
  const { timeoutMs = 1, maxBodyBytes = 1, width = 20, timeZone = 'UTC' } = options
  assertOption('timeoutMs', isBetween(timeoutMs, 1, MAX_TIMEOUT_MS), 'a number of milliseconds')
  assertOption('maxBodyBytes', isBetween(maxBodyBytes, 1, 2 ** 31), 'a number of bytes')
  assertOption('width', isBetween(width, 20, 1_000), 'a number from 20 to 1,000')
  assertOption('timeZone', isTimeZone(timeZone), 'an IANA name, such as Europe/Amsterdam')
}

/**
 * Rejects options with unknown names, which would have no effect: a check whose
 * `expectAuth` is misspelled would pass.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function assertOptionNames(
  caller: string,
  options: unknown,
  known: Readonly<Record<string, true>>,
): void {
  assertNames(caller, 'option', options, Object.keys(known))
}

/**
 * Rejects IDs that the contract does not have, and IDs that are not strings: the
 * test would see the data of another customer.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function assertIds(caller: string, ids: unknown): void {
  assertNames(caller, 'ID', ids, FETCH_DATA_PARAMETERS)
  for (const [name, value] of Object.entries(ids as object)) {
    if (value !== undefined && typeof value !== 'string') {
      throw new SidecardError('invalid_options', `${caller}: ${name} must be a string.`)
    }
  }
}

function assertNames(
  caller: string,
  kind: 'option' | 'ID',
  value: unknown,
  known: readonly string[],
): void {
  if (typeof value !== 'object' || value === null) {
    throw new SidecardError('invalid_options', `${caller}: the ${kind}s must be an object.`)
  }
  const problem = describeUnknownName(kind, value, known)
  if (problem !== undefined) throw new SidecardError('invalid_options', `${caller}: ${problem}`)
}

function assertOption(name: string, holds: boolean, expected: string): void {
  if (!holds) throw new SidecardError('invalid_options', `${name} must be ${expected}.`)
}

function isBetween(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max
}

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
