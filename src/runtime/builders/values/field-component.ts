import { describeType } from '../../contract/explain.ts'
import type { DateTime, Link, Text } from '../../contract/generated/types.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import { isUri } from '../../contract/uri.ts'
import type { SidecardError } from '../../internal/errors.ts'
import { isDate, isInstance, isUrl } from '../../internal/hostile-values.ts'
import { invalidOption } from '../../internal/read-options.ts'
import { dateTime } from '../components/date-time.ts'
import { argumentIssue, InvalidComponentError } from '../components/invalid-component-error.ts'
import { link } from '../components/link.ts'
import { text } from '../components/text.ts'
import { findInexactNumber } from '../inexact-number.ts'
import { FIELDS_OPTIONS, type FieldsOptions } from './field-value.ts'
import { numberFormat, dateFormat } from './intl-format.ts'

/** A component, the problem of a value, or the problem of an option. */
export type FieldOutcome = Text | DateTime | Link | PayloadIssue | SidecardError | undefined

/** Returns the component of a field, a problem, or `undefined` if the field is dropped. */
export function fieldComponent(
  label: string,
  value: unknown,
  options: FieldsOptions,
): FieldOutcome {
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'string':
      return value.trim() === '' ? undefined : text({ label, value })
    case 'boolean':
      return text({ label, value: value ? 'Yes' : 'No' })
    case 'bigint':
    case 'number':
      return numberComponent(label, value, options)
    default:
      return value === null ? undefined : objectComponent(label, value, options)
  }
}

function numberComponent(
  label: string,
  value: number | bigint,
  options: FieldsOptions,
): FieldOutcome {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const message = Number.isNaN(value) ? 'is NaN' : 'is an infinity'
    const fix = Number.isNaN(value)
      ? 'Check how it was computed, and pass null if there is no number.'
      : "Check how it was computed, and pass null or a text for PostgreSQL's infinity."
    return argumentIssue('', value, message, fix)
  }
  const inexact = findInexactNumber('', value)
  if (inexact !== undefined) return inexact
  const style = numberStyle(value)
  const format = numberFormat(options.locale ?? 'en', style, NUMBER_STYLES[style])
  if (format === undefined) return invalidOption('fields', 'locale', FIELDS_OPTIONS.locale.expected)
  // Adding zero turns -0 into 0.
  return text({ label, value: format.format(typeof value === 'number' ? value + 0 : value) })
}

/**
 * The formats of numbers, with the separators of the locale: all digits of an
 * integer, at most 15 digits otherwise, which hides the error of `0.1 + 0.2`, and
 * an exponent for a fraction that starts with many zeros.
 */
const NUMBER_STYLES = {
  integer: {},
  fraction: { maximumSignificantDigits: 15 },
  exponent: { maximumSignificantDigits: 15, notation: 'scientific' },
} as const

function numberStyle(value: number | bigint): keyof typeof NUMBER_STYLES {
  if (typeof value === 'bigint' || Number.isInteger(value)) return 'integer'
  return Math.abs(value) < 1e-6 ? 'exponent' : 'fraction'
}

function objectComponent(label: string, value: unknown, options: FieldsOptions): FieldOutcome {
  try {
    // Testing whether a URL is a date is expensive, so a URL skips that test. The result is the
    // same.
    if (!isInstance(value, URL) && isDate(value)) return dateComponent(label, value, options)
    if (isUrl(value)) return link({ label, url: toUri(value) })
  } catch (error) {
    const [issue] = isInstance(error, InvalidComponentError) ? error.issues : []
    if (issue === undefined) throw error
    return { ...issue, path: '' }
  }
  return argumentIssue(
    '',
    value,
    `is ${describeType(value)}, expected a string, number, bigint, boolean, Date or URL`,
    'Convert it, for example with String(value).',
  )
}

function dateComponent(label: string, value: Date, { timeZone }: FieldsOptions): FieldOutcome {
  if (timeZone === undefined || Number.isNaN(value.getTime())) return dateTime({ label, value })
  const local = toDateTimeIn(value, timeZone)
  return local === undefined
    ? invalidOption('fields', 'timeZone', FIELDS_OPTIONS.timeZone.expected)
    : dateTime({ label, value: local })
}

/** The scheme and the authority, which are already valid after parsing. */
const ORIGIN = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#]*)?/

/** Matches characters that the URL standard does not encode and RFC 3986 does not allow. */
const INVALID = /%(?![\dA-F]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi

/** Returns a URL as a URI of RFC 3986: with the other characters percent-encoded. */
function toUri({ href }: URL): string {
  if (isUri(href)) return href
  const origin = ORIGIN.exec(href)?.[0] ?? ''
  const [main = '', ...fragment] = href.slice(origin.length).split('#')
  const encoded = main.replace(INVALID, encodeURIComponent)
  if (fragment.length === 0) return `${origin}${encoded}`
  return `${origin}${encoded}#${fragment.join('#').replace(INVALID, encodeURIComponent)}`
}

/**
 * Returns a valid date for `dateTime()` with the offset of a time zone.
 * `undefined` for an unknown zone.
 */
function toDateTimeIn(date: Date, timeZone: string): Date | string | undefined {
  const options = { timeZone, timeZoneName: 'longOffset', minute: 'numeric' } as const
  // The text looks like "22 GMT+01:00". formatToParts() would take three times as long.
  const shown = dateFormat('en', `offset ${timeZone}`, options)?.format(date)
  if (shown === undefined) return undefined
  // RFC 3339 allows no seconds in an offset, which local mean times before 1900 had.
  const [offset, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(shown) ?? []
  const size = Number(hours) * 60 + Number(minutes)
  const local = new Date(date.getTime() + (sign === '-' ? -size : size) * 60_000)
  const year = local.getUTCFullYear()
  // RFC 3339 requires a year of four digits. In UTC, this date may still have one.
  if (!(year >= 0 && year <= 9999)) return date
  return `${local.toISOString().slice(0, -1)}${size === 0 ? 'Z' : offset}`
}
