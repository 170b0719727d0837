import { describeType } from '../../contract/explain.ts'
import type { BadgeItem } from '../../contract/generated/types.ts'
import type { PayloadIssue } from '../../contract/issues.ts'
import type { BadgeColor } from '../../contract/generated/vocabulary.ts'
import { isRecord } from '../../internal/read-options.ts'
import { argumentIssue, throwInvalid } from '../components/invalid-component-error.ts'

/**
 * Creates a badge item that shows a status, with the color from the table, or gray
 * if it is not in the table. `null`, `undefined` and blank text show as "Unknown".
 *
 * @param value the status in your own system
 * @param colors a color for each status that has one
 * @throws {InvalidComponentError} `invalid_component`: the value is not text, or
 * there is no table
 *
 * @example
 * badge({
 *   label: 'Status',
 *   items: [status(account.status, { active: 'green', past_due: 'orange' })],
 * })
 *
 * @see docs/guides/values.md#status
 */
export function status<V extends string>(
  value: V | null | undefined,
  colors: { readonly [K in NoInfer<V>]?: BadgeColor },
): BadgeItem {
  const fail = (issue: PayloadIssue) => throwInvalid(status, 'status', [issue], [value, colors])
  const text: unknown = value ?? ''
  if (typeof text !== 'string') {
    const message = `is ${describeType(text)}, expected text`
    return fail(argumentIssue('value', text, message, 'Pass the name of the status.'))
  }
  if (!isRecord(colors)) {
    const message = `must be an object, got ${describeType(colors)}`
    const fix = "Pass a color for each status, such as { active: 'green' }."
    return fail(argumentIssue('colors', colors, message, fix))
  }
  if (text.trim() === '') return { value: 'Unknown', color: 'gray' }
  const known: Readonly<Record<string, BadgeColor | undefined>> = colors
  // Only own properties count: every object inherits a `constructor`, which is not a color.
  const color = Object.hasOwn(known, text) ? known[text] : undefined
  return { value: text, color: color ?? 'gray' }
}
