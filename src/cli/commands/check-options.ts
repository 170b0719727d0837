import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import { SidecardError } from '../../errors.ts'
import { closest } from '../../internal/closest.ts'
import type { CliIo } from '../io.ts'
import { withLocalSecrets } from '../local-secrets.ts'

/**
 * Reads `name: value` headers; the value `env:NAME` is taken from the
 * environment, or else from the local secrets of the folder.
 *
 * @throws {SidecardError} `usage` for one that is no header; never with its value.
 */
export function parseHeaders(
  lines: readonly string[],
  { cwd, env }: Pick<CliIo, 'cwd' | 'env'>,
): Readonly<Record<string, string>> {
  const environment = withLocalSecrets(cwd, env)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([^:\s]+)\s*:\s*([^]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw new SidecardError('usage', "A header is written 'name: value', with the colon.")
    }
    const variable = /^env:(\w+)$/.exec(value)?.[1]
    const resolved = variable === undefined ? value : environment[variable]
    if (resolved === undefined || resolved === '') {
      throw new SidecardError(
        'usage',
        variable === undefined
          ? `The header ${JSON.stringify(name)} has no value.`
          : `The header ${JSON.stringify(name)} reads ${variable}, which neither the environment nor .env or .dev.vars has.`,
      )
    }
    headers[name] = resolved
  }
  return headers
}

/**
 * Reads `issue_id=…` parameters.
 *
 * @throws {SidecardError} `usage` for one that a data fetch does not have.
 */
export function parseParameters(
  pairs: readonly string[],
): Partial<Record<FetchDataParameter, string>> {
  const ids: Partial<Record<FetchDataParameter, string>> = {}
  for (const pair of pairs) {
    const [, name = '', value] = /^([^=]+)=([^]*)$/.exec(pair) ?? []
    const known = FETCH_DATA_PARAMETERS.find((each) => each === name)
    if (known === undefined || value === undefined) {
      const meant = closest(name, FETCH_DATA_PARAMETERS)
      const hint =
        meant === undefined ? `one of ${FETCH_DATA_PARAMETERS.join(', ')}` : `did you mean ${meant}`
      throw new SidecardError('usage', `A parameter is written name=value: ${hint}.`)
    }
    ids[known] = value
  }
  return ids
}

/**
 * Reads a whole number from `min` to `max`.
 *
 * @throws {SidecardError} `usage` for anything else.
 */
export function parseWhole(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) {
    throw new SidecardError('usage', `${option} takes a whole number from ${min} to ${max}.`)
  }
  return value
}

/** Splits `a,b` and repeated options into names. */
export function parseNames(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
