import { fieldPath } from '../contract/explain.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import type { DateTime, Link, Text } from '../contract/payload.ts'
import { consumeRejections } from '../internal/user-code.ts'
import { isArray, isThenable } from '../internal/hostile-values.ts'
import { fieldComponent } from './field-component.ts'
import type { FieldsOptions, Showable } from './field-value.ts'
import type { LocaleSource } from './intl-format.ts'
import { type InvalidArgument, throwInvalidArgument } from './invalid-argument.ts'
import { findOptionIssues } from './option-issues.ts'

/** The maximum number of fields. A longer list is a mistake. */
const MAX_FIELDS = 10_000

const OPTIONS = Object.keys({ locale: 0, timeZone: 0 } satisfies Record<keyof FieldsOptions, 0>)

const SOURCE: LocaleSource = { builder: fields, name: 'fields', path: 'options.locale' }

/**
 * Turns labels and values into components, in the given order.
 *
 * A string, number or bigint becomes a text, a boolean the text "Yes" or "No", a
 * `Date` a `date_time`, a `URL` a link. `null`, `undefined` and blank strings are
 * dropped; `0` and `false` stay. Use pairs where labels look like whole numbers:
 * JavaScript moves such keys of an object to the front.
 *
 * @param record an object, or an array of `[label, value]`
 * @throws {InvalidComponentError} `invalid_component`: NaN, an infinity, an
 * invalid date, a value of another type, an unknown option, an invalid locale or time zone
 *
 * @example
 * card({ components: fields({ Plan: account.plan, Seats: 12, Renews: account.renewsAt }) })
 *
 * @see docs/guides/values.md#fields
 */
export function fields<R extends object>(
  record: Showable<R>,
  options: FieldsOptions = {},
): Array<Text | DateTime | Link> {
  const components: Array<Text | DateTime | Link> = []
  const problems: Array<InvalidArgument | PayloadIssue> = [
    ...findOptionIssues(options, OPTIONS, "{ locale: 'de' }"),
  ]
  // All values are read, even after a problem, so that rejections of promises among them are
  // handled.
  for (const { label, value, path } of toEntries(record)) {
    const result = fieldComponent({ label, value, path, source: SOURCE, options })
    if (result === undefined) continue
    if ('type' in result) components.push(result)
    else problems.push(result)
  }
  if (problems.length > 0) throwInvalidArgument(fields, 'fields', problems)
  return components
}

interface Entry {
  readonly label: unknown
  readonly value: unknown
  readonly path: string
}

function toEntries(record: unknown): readonly Entry[] {
  if (isArray(record)) return record.length > MAX_FIELDS ? tooMany() : record.map(pairEntry)
  // The keys of a buffer are its bytes. A Map and a promise have no keys.
  if (
    typeof record !== 'object' ||
    record === null ||
    Symbol.iterator in record ||
    isThenable(record)
  ) {
    consumeRejections(record)
    return throwInvalidArgument(fields, 'fields', [
      {
        path: '',
        message: 'expects an object of values, or an array of [label, value]',
        fix: isThenable(record) ? 'Write await before it.' : 'Pass { Plan: account.plan }.',
      },
    ])
  }
  const labels = Object.keys(record)
  if (labels.length > MAX_FIELDS) return tooMany()
  const values = record as Readonly<Record<string, unknown>>
  return labels.map((label) => ({ label, value: values[label], path: fieldPath(label) }))
}

function pairEntry(pair: unknown, index: number): Entry {
  return isArray(pair)
    ? { label: pair[0], value: pair[1], path: `[${index}]` }
    : { label: undefined, value: pair, path: `[${index}]` }
}

function tooMany(): never {
  return throwInvalidArgument(fields, 'fields', [
    {
      path: '',
      code: 'too_many_components',
      message: `exceeds the maximum of ${MAX_FIELDS} fields`,
      fix: 'Show what an agent needs, and link to the rest.',
    },
  ])
}
