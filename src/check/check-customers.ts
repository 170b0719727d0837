import { SidecardError } from '../internal/errors.ts'
import { findUnknownName, invalidOption, isRecord, strings } from '../internal/read-options.ts'
import { containsText, isTooShort } from '../internal/shown-text.ts'
import { assertIds } from '../service/endpoint-options.ts'
import type { FetchDataIds } from '../service/query.ts'
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

const NAMES = ['ids', 'shows']

/**
 * Validates the customers of a check, and drops those without any ID.
 *
 * @throws {SidecardError} `invalid_options`, without a value
 */
export function readCheckCustomers(
  customers: readonly CheckCustomer[],
): ReadonlyArray<Required<CheckCustomer>> {
  const read = customers.map((customer, index) => readCustomer(customer, `customers[${index}]`))
  for (const [index, { shows }] of read.entries()) {
    for (const [at, text] of shows.entries()) {
      const other = read.findIndex(
        (each, place) => place !== index && each.shows.some((long) => containsText(long, text)),
      )
      if (other >= 0) {
        throw invalid(
          `customers[${index}].shows[${at}] is contained in a text of customers[${other}]. Use texts that only one sidebar shows.`,
        )
      }
    }
  }
  return read.filter(({ ids }) => hasCustomIds(ids))
}

function readCustomer(customer: unknown, path: string): Required<CheckCustomer> {
  if (!isRecord(customer)) throw invalidOption('check', path, 'an object with ids', customer)
  const unknown = findUnknownName('field', customer, NAMES, `${path}.`)
  if (unknown !== undefined) throw invalid(unknown)
  const { ids, shows = [] } = customer
  assertIds('check', ids, `${path}.ids.`)
  if (!strings.accepts(shows))
    throw invalidOption('check', `${path}.shows`, strings.expected, shows)
  const known = ids as FetchDataIds
  const texts = shows as readonly string[]
  if (texts.length > 0 && ID_KINDS.every(([name]) => known[name] === undefined)) {
    throw invalid(`${path} has texts but no customer ID, such as account_id.`)
  }
  const short = texts.findIndex(isTooShort)
  if (short >= 0) {
    throw invalid(`${path}.shows[${short}] is too short. Use at least three letters or digits.`)
  }
  return { ids: known, shows: texts }
}

function invalid(message: string): SidecardError {
  return new SidecardError('invalid_options', `check: ${message}`)
}
