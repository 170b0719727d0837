import { SidecardError } from '../internal/errors.ts'
import { describeUnknownName } from '../internal/unknown-name.ts'

/** How an option is validated. `expected` completes the sentence "x must be …". */
export type Check = readonly [isValid: (value: unknown) => boolean, expected: string]

export const isFunction = (value: unknown) => typeof value === 'function'
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem)
export const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    isRecord(value) && names.every((name) => isFunction(value[name]))
export const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0

/**
 * Throws unless all options are known and valid. An option that is `undefined`
 * counts as absent.
 *
 * @param prefix the path of the options, such as `limits.`
 * @throws {SidecardError} `invalid_options`
 */
export function validateOptions(
  caller: string,
  options: object,
  checks: Readonly<Record<string, Check>>,
  { required = [], prefix = '' }: { required?: readonly string[]; prefix?: string } = {},
): void {
  const fail = (problem: string): never => {
    throw new SidecardError('invalid_options', `${caller}: ${problem}`)
  }
  const problem = describeUnknownName('option', options, Object.keys(checks), prefix)
  if (problem !== undefined) fail(problem)
  for (const [name, [isValid, expected]] of Object.entries(checks)) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    if ((value !== undefined || required.includes(name)) && !isValid(value)) {
      fail(`${prefix}${name} must be ${expected}.`)
    }
  }
}
