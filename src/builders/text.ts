import type { Text } from '../contract/generated/types.ts'
import { assertValidFields, hasOnly, isOptionalIcon, isObject } from './arguments.ts'

/** The fields of a text component. */
export type TextFields = Omit<Text, 'type'>

/**
 * Creates a label with a text, which may have several lines. The service
 * truncates overflowing text with an ellipsis.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example text({ label: 'Plan', value: 'Enterprise' })
 *
 * @see docs/contract.md#text
 */
export function text(fields: TextFields): Text {
  if (!isText(fields)) assertValidFields({ call: text, name: 'text' }, 'text', fields)
  const { label, value, icon_url } = fields
  return icon_url === undefined
    ? { type: 'text', label, value }
    : { type: 'text', label, value, icon_url }
}

function isText(fields: unknown): boolean {
  return (
    isObject(fields) &&
    typeof fields['label'] === 'string' &&
    typeof fields['value'] === 'string' &&
    isOptionalIcon(fields['icon_url']) &&
    hasOnly(fields, 'label', 'value', 'icon_url')
  )
}
