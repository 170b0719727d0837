import { buildText } from '../../contract/generated/build.ts'
import type { Text } from '../../contract/generated/types.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a text component. */
export type TextFields = Omit<Text, 'type'>

/**
 * Creates a label with text, which may have several lines. The service
 * truncates overflowing text with an ellipsis.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example text({ label: 'Plan', value: 'Enterprise' })
 *
 * @see docs/contract.md#text
 */
export function text(fields: TextFields): Text {
  return buildText(fields) ?? rejectFields(text, 'text', 'text', fields)
}
