import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { resolveHeaders } from '../../project/resolve-headers.ts'
import { unknownName } from '../flags.ts'
import type { CliContext } from '../io.ts'
import { withLocalSecrets } from '../local-secrets.ts'
import { usageError } from '../run-command.ts'

type Ids = Partial<Record<FetchDataParameter, string>>

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Parses `name: value` headers. `env:NAME` in a value, alone or after a scheme or
 * a cookie's name, is replaced by a variable of the environment or of the
 * folder's local secrets.
 *
 * @throws {SidecardError} `usage` for an invalid header, without its value.
 */
export function parseHeaders(
  lines: readonly string[],
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
): Readonly<Record<string, string>> {
  const environment = withLocalSecrets(cwd, env)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name, text] = splitHeader(line)
    headers[name] = resolveVariables(name, text, environment)
  }
  return headers
}

/**
 * Splits `name: value`.
 *
 * @throws {SidecardError} `usage` for an invalid header, without its value.
 */
export function splitHeader(line: string): readonly [name: string, value: string] {
  const [, name = '', text] = /^([^:]*):\s*([^]*)$/.exec(line) ?? []
  if (text === undefined) {
    throw usageError(
      "Invalid header: the colon is missing. Use -H 'name: value', such as -H 'x-sidecard-secret: env:SIDECARD_SECRET'.",
    )
  }
  assertHeaderName(name)
  return [name, text]
}

function assertHeaderName(name: string): void {
  if (HEADER_NAME.test(name)) return
  const shown = JSON.stringify(escapeForDisplay(name, 60))
  const suggestion = name.trim().replaceAll(/\s+/g, '-')
  const hint = HEADER_NAME.test(suggestion)
    ? ` Did you mean ${suggestion}?`
    : " Use letters, digits and hyphens: -H 'x-sidecard-secret: env:SIDECARD_SECRET'."
  const problem = /\s/.test(name) ? 'it contains whitespace' : 'HTTP does not allow it'
  throw usageError(`Invalid header name ${shown}: ${problem}.${hint}`)
}

function resolveVariables(
  name: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { headers, missing } = resolveHeaders({ [name]: text }, environment)
  if (missing[0] !== undefined) throw unsetVariable(missing[0], `header "${name}"`)
  const value = headers[name] ?? ''
  if (value.trim() !== '') return value
  throw usageError(`The header "${name}" has no value. Use -H '${name}: value'.`)
}

function readVariable(
  variable: string,
  user: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const found = environment[variable]
  if (found !== undefined && found !== '') return found
  throw unsetVariable(variable, user)
}

function unsetVariable(variable: string, user: string) {
  return usageError(
    `${variable}, used by ${user}, is not set in the environment, .env or .dev.vars.`,
  )
}

/** One `--param` or `--shows`. */
export interface CustomerFlag {
  readonly flag: 'param' | 'shows'
  readonly text: string
}

/**
 * Parses `--param account_id=…` and `--shows '…'` for several customers. A
 * parameter whose name is repeated, or that follows a text, starts the next
 * customer. A value `env:NAME` is replaced by a variable of the environment or of
 * the folder's local secrets.
 *
 * @throws {SidecardError} `usage` for an unknown parameter, a missing variable, or a text without a customer.
 */
export function parseCustomers(
  flags: readonly CustomerFlag[],
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
) {
  const environment = withLocalSecrets(cwd, env)
  const customers: Array<{ readonly ids: Ids; readonly shows: string[] }> = []
  const resolveValue = (text: string, user: string) => {
    const [, variable] = /^env:(\w+)$/.exec(text) ?? []
    return variable === undefined ? text : readVariable(variable, user, environment)
  }
  for (const { flag, text } of flags) {
    const current = customers.at(-1)
    if (flag === 'shows') {
      if (current === undefined) {
        throw usageError(
          "--shows needs a customer before it: --param account_id=acme --shows 'Acme Ltd'.",
        )
      }
      current.shows.push(resolveValue(text, '--shows'))
      continue
    }
    const [, name = '', given] = /^([^=]*)=([^]*)$/.exec(text) ?? []
    if (given === undefined) {
      throw usageError(
        'Invalid parameter: the equals sign is missing. Use --param name=value, such as --param account_id=acme.',
      )
    }
    const parameter = findParameter(name)
    const value = resolveValue(given, `--param ${name}`)
    if (current === undefined || current.shows.length > 0 || current.ids[parameter] !== undefined) {
      customers.push({ ids: { [parameter]: value }, shows: [] })
    } else {
      current.ids[parameter] = value
    }
  }
  return customers
}

/**
 * Parses `account_id=…` parameters for one customer.
 *
 * @throws {SidecardError} `usage` for an unknown or repeated parameter.
 */
export function parseParameters(
  pairs: readonly string[],
  io: Pick<CliContext, 'cwd' | 'env'>,
): Ids {
  const flags = pairs.map((text): CustomerFlag => ({ flag: 'param', text }))
  const [first, second] = parseCustomers(flags, io)
  const [repeated] = Object.keys(second?.ids ?? {})
  if (repeated === undefined) return first?.ids ?? {}
  throw usageError(`--param ${repeated} is given twice. This command takes one customer.`)
}

function findParameter(name: string): FetchDataParameter {
  const parameter = FETCH_DATA_PARAMETERS.find((each) => each === name)
  if (parameter !== undefined) return parameter
  throw unknownName('ID', name, FETCH_DATA_PARAMETERS, '--param: ')
}

/**
 * Returns the URL of the server of this project: this machine, and the port in
 * `PORT`.
 *
 * @throws {SidecardError} `usage` if `PORT` is not a port
 */
export function localEndpoint({ PORT }: Readonly<Record<string, string | undefined>>): string {
  const port = PORT === undefined || PORT === '' ? 8_787 : Number(PORT)
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return `http://127.0.0.1:${port}`
  throw usageError('PORT must be an integer from 1 to 65535.')
}
