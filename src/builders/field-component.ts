import { describeType, isDate } from '../contract/explain.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import type { DateTime, Link, Text } from '../contract/payload.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { isInstance, isThenable } from '../internal/hostile-values.ts'
import { dateTime } from './date-time.ts'
import { toDateTimeIn } from './field-date-time.ts'
import { toUri } from './field-uri.ts'
import type { FieldsOptions } from './field-value.ts'
import { type LocaleSource, numberFormat } from './intl-format.ts'
import type { InvalidArgument } from './invalid-argument.ts'
import { InvalidComponentError } from './invalid-component-error.ts'
import { link } from './link.ts'
import { text } from './text.ts'

/** A label and a value, and their path in the argument of `fields()`. */
export interface Field {
  readonly label: unknown
  readonly value: unknown
  readonly path: string
  readonly source: LocaleSource
  readonly options: FieldsOptions | undefined
}

type Outcome = Text | DateTime | Link | InvalidArgument | PayloadIssue | undefined

/** Returns the component of a field, its problem, or `undefined` if the field is dropped. */
export function fieldComponent({ label, value, path, source, options }: Field): Outcome {
  if (isThenable(value)) {
    consumeRejections(value)
    return {
      path,
      code: 'unawaited_promise',
      message: 'is a promise: await it',
      fix: 'Write await before the value.',
    }
  }
  if (typeof label !== 'string') {
    return { path, message: 'is not a pair', fix: "Write ['Plan', account.plan]." }
  }
  switch (typeof value) {
    case 'undefined':
      return undefined
    case 'string':
      return value.trim() === '' ? undefined : text({ label, value })
    case 'boolean':
      return text({ label, value: value ? 'Yes' : 'No' })
    case 'number':
      if (!Number.isFinite(value)) {
        return {
          path,
          message: Number.isNaN(value) ? 'is NaN' : 'is an infinity',
          fix: 'Check how it was computed, and pass null if there is no number.',
        }
      }
      return text({ label, value: formatNumber(value, source, options) })
    case 'bigint':
      return text({ label, value: formatNumber(value, source, options) })
    default:
      return value === null ? undefined : objectComponent(label, value, path, source, options)
  }
}

/**
 * The number as JavaScript writes it, with the separators of the locale: 15
 * digits, which hides the noise of `0.1 + 0.2`, or all digits of an integer,
 * and an exponent where the zeros would fill a line.
 */
function formatNumber(
  value: number | bigint,
  source: LocaleSource,
  options: FieldsOptions | undefined,
): string {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  const size = Math.abs(Number(value))
  const isExtreme = typeof value === 'number' && size !== 0 && (size >= 1e21 || size < 1e-6)
  const format = numberFormat(source, options?.locale, {
    ...((isExtreme || !isWhole) && { maximumSignificantDigits: 15 }),
    ...(isExtreme && { notation: 'scientific' }),
  })
  // Adding zero turns -0 into 0.
  return format.format(typeof value === 'number' ? value + 0 : value)
}

function objectComponent(
  label: string,
  value: unknown,
  path: string,
  source: LocaleSource,
  options: FieldsOptions | undefined,
): Outcome {
  try {
    if (isDate(value)) {
      const date = toDateTimeIn(value, options?.timeZone, source)
      return date === undefined
        ? {
            path: 'options.timeZone',
            message: 'is not a time zone',
            fix: "Use an IANA name such as 'Europe/Berlin'.",
          }
        : dateTime({ label, value: date })
    }
    if (isUrl(value)) return link({ label, url: toUri(value) })
  } catch (error) {
    const [issue] = isInstance(error, InvalidComponentError) ? error.issues : []
    if (issue === undefined) throw error
    return { ...issue, path }
  }
  return {
    path,
    message: `is ${describeType(value)}, expected a string, number, bigint, boolean, Date or URL`,
    fix: 'Convert it, for example with String(value).',
  }
}

/** Also recognizes a URL of another realm, unlike `instanceof`. */
function isUrl(value: unknown): value is URL {
  try {
    return Object.prototype.toString.call(value) === '[object URL]'
  } catch {
    // A revoked proxy, or a getter that throws.
    return false
  }
}
