import { SidecardError } from '../../runtime/internal/errors.ts'
import {
  readOptions,
  record,
  required,
  strings,
  withDefault,
} from '../../runtime/internal/read-options.ts'
import { FETCH_DATA_PARAMETERS } from '../../runtime/contract/parameters.ts'
import { containsText, isTooShort } from '../internal/shown-text.ts'
import { assertIds } from '../service/endpoint/endpoint-options.ts'
import type { FetchDataIds } from '../service/endpoint/query.ts'
import { hasCustomIds, ID_KINDS } from './customers.ts'

/** A customer that the endpoint knows. */
export interface CheckCustomer {
  /** The IDs that the service sends for the customer. */
  readonly ids: FetchDataIds
  /**
   * Texts that only the sidebar of this customer shows, such as the company's name.
   * They are compared as whole words, in any letter case. Each needs at least three
   * letters, and must not be part of another customer's text.
   * @default []
   */
  readonly shows?: readonly string[]
}

const CUSTOMER_KINDS = {
  ids: required<FetchDataIds>(record),
  shows: withDefault<readonly string[]>(strings, []),
}

/** The option `unknown`. */
export interface UnknownCustomers {
  /** Texts of which the sidebar of an unknown customer shows one. */
  readonly shows: readonly string[]
}

const UNKNOWN_KINDS = { shows: required<readonly string[]>(strings) }

/**
 * Validates the customers of a check, and drops those without any ID.
 *
 * @throws {SidecardError} `invalid_options`, without a value
 */
export function readCheckCustomers(
  customers: readonly CheckCustomer[],
): ReadonlyArray<Required<CheckCustomer>> {
  const read = customers.map((customer, index) => readCustomer(customer, `customers[${index}]`))
  const all = read.flatMap(({ shows }, index) => shows.map((text, at) => ({ text, index, at })))
  for (const { text, index, at } of all) {
    const other = all.find((each) => each.index !== index && containsText(each.text, text))
    if (other === undefined) continue
    throw invalid(
      `customers[${index}].shows[${at}] is contained in a text of customers[${other.index}]. Use texts that only one sidebar shows.`,
    )
  }
  return read.filter(({ ids }) => hasCustomIds(ids))
}

/**
 * Asserts that the texts of unknown customers can be found.
 *
 * @throws {SidecardError} `invalid_options`
 */
export function assertUnknown(unknown: UnknownCustomers): void {
  const { shows } = readOptions('check', unknown, UNKNOWN_KINDS, 'unknown.')
  if (!shows.includes('')) return
  throw invalid('unknown.shows contains an empty text.')
}

/** Matches a variable that a tool did not replace, and a value that was absent in a program. */
const VARIABLE =
  /\{\{[^{}]*\}\}|\$\{[^{}]*\}|\[object \w+\]|^(?:\{[\w.]+\}|<[\w. -]+>|%\w+%|\$\w+|:\w+|(?:.*[_-])?(?:undefined|null|NaN))$/

function isVariable(id = ''): boolean {
  return VARIABLE.test(id) || FETCH_DATA_PARAMETERS.some((name) => name === id)
}

function assertLong(shows: readonly string[], path: string): void {
  const short = shows.findIndex(isTooShort)
  if (short < 0) return
  throw invalid(`${path}.shows[${short}] is too short. Use at least three letters or digits.`)
}

function readCustomer(customer: CheckCustomer, path: string): Required<CheckCustomer> {
  const { ids, shows } = readOptions('check', customer, CUSTOMER_KINDS, `${path}.`)
  assertIds('check', ids, `${path}.ids.`)
  for (const [name, id] of Object.entries(ids)) {
    if (!isVariable(id)) continue
    const value = JSON.stringify(id)
    throw invalid(`${path}.ids.${name} is ${value}, a variable that was not replaced. Pass an ID.`)
  }
  if (shows.length > 0 && ID_KINDS.every(([name]) => ids[name] === undefined)) {
    throw invalid(`${path} has texts but no customer ID, such as account_id.`)
  }
  assertLong(shows, path)
  return { ids, shows }
}

function invalid(message: string): SidecardError {
  return new SidecardError('invalid_options', `check: ${message}`)
}
