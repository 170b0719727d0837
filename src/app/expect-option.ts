import { SidecardError } from '../errors.ts'

/** @throws {SidecardError} `invalid_options` with the option's name and what it should be */
export function expectOption(holds: boolean, option: string, wanted: string): void {
  if (!holds) throw new SidecardError('invalid_options', `sidecard: ${option} must be ${wanted}.`)
}
