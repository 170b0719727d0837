import { fieldPath } from '../../contract/explain.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import type { DateTime, Link, Text } from '../../contract/generated/types.ts'
import { isObject, isPlain } from '../../contract/copy-values.ts'
import { isArray, isThenable } from '../../internal/hostile-values.ts'
import { readOptions } from '../../internal/read-options.ts'
import { fieldComponent, type FieldOutcome } from './field-component.ts'
import { FIELDS_OPTIONS, type FieldsOptions, type FieldsInput } from './field-value.ts'
import {
  argumentIssue,
  throwInvalid,
  throwToCaller,
} from '../components/invalid-component-error.ts'

/** The maximum number of fields. A longer list is a mistake. */
const MAX_FIELDS = 10_000

const NO_OPTIONS: FieldsOptions = {}

/**
 * Turns labels and values into components, in the given order.
 *
 * A string, number or bigint becomes a text, a boolean the text "Yes" or "No", a
 * `Date` a `date_time`, a `URL` a link. `null`, `undefined` and blank strings are
 * dropped; `0` and `false` stay. Use pairs where labels look like whole numbers:
 * JavaScript moves such keys of an object to the front.
 *
 * @param record an object, or an array of `[label, value]`
 * @throws {InvalidComponentError} `invalid_component`: NaN, an infinity, a whole
 * number that JavaScript cannot represent exactly, an invalid date, a value of
 * another type, or an object without own fields
 * @throws {SidecardError} `invalid_options`: an unknown option, an invalid locale or time zone
 *
 * @example
 * card({ components: fields({ Plan: account.plan, Seats: 12, Renews: account.renewsAt }) })
 *
 * @see docs/guides/values.md#fields
 */
export function fields<R extends object>(
  record: FieldsInput<R>,
  options: FieldsOptions = NO_OPTIONS,
): Array<Text | DateTime | Link> {
  if (options !== NO_OPTIONS) assertOptions(record, options)
  const isPairs = isArray(record)
  const items: readonly unknown[] = isPairs ? record : (labelsOf(record) ?? [])
  const components: Array<Text | DateTime | Link> = []
  const issues = findShapeIssues(record, items.length)
  const count = issues.length === 0 ? items.length : 0
  for (let index = 0; index < count; index++) {
    const item = items[index]
    const made = isPairs
      ? pairComponent(item, options)
      : fieldComponent(item as string, (record as Record<string, unknown>)[item as string], options)
    if (made === undefined) continue
    if ('type' in made) components.push(made)
    else if (made instanceof Error) throwToCaller(fields, made, [record, options])
    else issues.push({ ...made, path: isPairs ? `[${index}]` : fieldPath(item as string) })
  }
  if (issues.length > 0) throwInvalid(fields, 'fields', issues, [record, options])
  return components
}

function assertOptions(record: unknown, options: FieldsOptions): void {
  try {
    readOptions('fields', options, FIELDS_OPTIONS)
  } catch (error) {
    throwToCaller(fields, error, [record, options])
  }
}

/**
 * Returns the labels of a record; `undefined` for a `Map`, which has none, and for
 * a buffer, which has one per byte.
 */
function labelsOf(record: unknown): readonly string[] | undefined {
  const hasLabels = typeof record === 'object' && record !== null && !(Symbol.iterator in record)
  return hasLabels ? Object.keys(record) : undefined
}

function pairComponent(pair: unknown, options: FieldsOptions): FieldOutcome {
  const isPair = isArray(pair) && pair.length === 2
  const [label, value] = isPair ? [pair[0], pair[1]] : [undefined, pair]
  return typeof label === 'string'
    ? fieldComponent(label, value, options)
    : argumentIssue('', value, 'is not a pair', "Write ['Plan', account.plan].")
}

function findShapeIssues(record: unknown, count: number): PayloadIssue[] {
  if (count > MAX_FIELDS) {
    const message = `exceeds the maximum of ${MAX_FIELDS} fields`
    const fix = 'Show what an agent needs, and link to the rest.'
    return [{ path: '', code: 'too_many_components', message, fix }]
  }
  const hasFields = count > 0 && !isThenable(record)
  if (hasFields || isArray(record) || (isObject(record) && isPlain(record))) return []
  const message =
    labelsOf(record) === undefined
      ? 'expects an object of values, or an array of [label, value]'
      : 'has no own fields: getters of a class are not read'
  return [argumentIssue('', record, message, 'Pass { Plan: account.plan }.')]
}
