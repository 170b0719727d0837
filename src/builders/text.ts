import type { Text } from '../contract/payload.ts'
import { hasOnly, isString, isUriAllowed, judge, type UriOptions } from './arguments.ts'

/** The fields of a text component. */
export type TextFields = Omit<Text, 'type'>

/**
 * A label with a value, which may have several lines. The service cuts what
 * overflows with an ellipsis.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example text({ label: 'Plan', value: 'Enterprise' })
 *
 * @see docs/contract.md#text
 */
export function text(fields: TextFields, options?: UriOptions): Text {
  if (!isText(fields, options)) judge(text, 'text', fields, options)
  const { label, value, icon_url } = fields
  return icon_url === undefined
    ? { type: 'text', label, value }
    : { type: 'text', label, value, icon_url }
}

function isText(fields: TextFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(fields, 'label', 'value', 'icon_url') &&
    isString(fields.label) &&
    isString(fields.value) &&
    (fields.icon_url === undefined || isUriAllowed(fields.icon_url, options))
  )
}
