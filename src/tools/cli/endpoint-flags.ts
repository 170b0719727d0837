import { FETCH_DATA_PARAMETERS } from '../../runtime/contract/parameters.ts'
import type { FetchDataParameter } from '../../runtime/contract/parameters.ts'
import { quote } from '../internal/escape-for-display.ts'
import { unknownName } from './flags.ts'
import type { CliContext } from './io.ts'
import { resolveVariables } from './local-secrets.ts'
import { usageError } from './run-command.ts'

type Ids = Partial<Record<FetchDataParameter, string>>

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Splits a header `name: value` of the command line.
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
  if (!HEADER_NAME.test(name)) {
    const suggestion = name.trim().replaceAll(/\s+/g, '-')
    const hint = HEADER_NAME.test(suggestion)
      ? `Did you mean ${suggestion}?`
      : "Use letters, digits and hyphens: -H 'x-sidecard-secret: env:SIDECARD_SECRET'."
    const problem = /\s/.test(name) ? 'it contains whitespace' : 'HTTP does not allow it'
    throw usageError(`Invalid header name ${quote(name, 60)}: ${problem}. ${hint}`)
  }
  if (text.trim() !== '') return [name, text]
  throw usageError(`The header "${name}" has no value. Use -H '${name}: value'.`)
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
  io: Pick<CliContext, 'cwd' | 'env'>,
) {
  const customers: Array<{ readonly ids: Ids; readonly shows: string[] }> = []
  for (const { flag, text } of flags) {
    const current = customers.at(-1)
    if (flag === 'shows') {
      if (current === undefined) {
        throw usageError(
          "--shows needs a customer before it: --param account_id=acme --shows 'Acme Ltd'.",
        )
      }
      current.shows.push(resolveVariables(text, '--shows', io))
      continue
    }
    const [, name = '', given] = /^([^=]*)=([^]*)$/.exec(text) ?? []
    if (given === undefined) {
      throw usageError(
        'Invalid parameter: the equals sign is missing. Use --param name=value, such as --param account_id=acme.',
      )
    }
    const parameter = FETCH_DATA_PARAMETERS.find((each) => each === name)
    if (parameter === undefined) throw unknownName('ID', name, FETCH_DATA_PARAMETERS, '--param: ')
    const value = resolveVariables(given, `--param ${name}`, io)
    if (current === undefined || current.shows.length > 0 || current.ids[parameter] !== undefined) {
      customers.push({ ids: { [parameter]: value }, shows: [] })
    } else {
      current.ids[parameter] = value
    }
  }
  return customers
}

/**
 * Parses `--param account_id=…` for one customer.
 *
 * @throws {SidecardError} `usage` for an unknown or repeated parameter.
 */
export function parseCustomer(
  flags: readonly CustomerFlag[] = [],
  io: Pick<CliContext, 'cwd' | 'env'>,
): Ids {
  const [first, second] = parseCustomers(flags, io)
  if (second === undefined) return first?.ids ?? {}
  const [repeated] = Object.keys(second.ids)
  throw usageError(`--param ${repeated} is given twice. This command takes one customer.`)
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
