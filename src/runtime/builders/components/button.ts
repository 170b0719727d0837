import { buildButton } from '../../contract/generated/build.ts'
import type { Button } from '../../contract/generated/types.ts'
import { rejectFields } from './reject-fields.ts'

/** The fields of a button component. */
export type ButtonFields = Omit<Button, 'type' | 'button_type'> & {
  /**
   * The kind of button. The contract only has links.
   * @default 'link'
   */
  readonly button_type?: 'link' | undefined
}

/**
 * Creates a button that opens a URL, for example in an admin dashboard.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example button({ label: 'Open in admin', url: 'https://admin.example.com/accounts/7' })
 *
 * @see docs/contract.md#button
 */
export function button(fields: ButtonFields): Button {
  return buildButton(fields) ?? rejectFields(button, 'button', 'button', fields)
}
