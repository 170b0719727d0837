import type { Button } from '../contract/payload.ts'
import { hasOnly, isObject, isString, isUriAllowed, judge, type UriOptions } from './arguments.ts'

/** The fields of a button component. */
export type ButtonFields = Omit<Button, 'type' | 'button_type'> & {
  /**
   * The contract has one kind of button.
   * @default 'link'
   */
  readonly button_type?: 'link' | undefined
}

/**
 * A button that opens a link, for example to an admin dashboard.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example button({ label: 'Open in admin', url: 'https://admin.example.com/accounts/7' })
 *
 * @see docs/contract.md#button
 */
export function button(fields: ButtonFields, options?: UriOptions): Button {
  if (!isButton(fields, options)) {
    judge(button, 'button', isObject(fields) ? withType(fields) : fields, options)
  }
  const { label, url } = fields
  return { type: 'button', label, button_type: 'link', url }
}

function withType(fields: ButtonFields): ButtonFields {
  return { ...fields, button_type: fields.button_type === undefined ? 'link' : fields.button_type }
}

function isButton(fields: ButtonFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(fields, 'label', 'url', 'button_type') &&
    isString(fields.label) &&
    (fields.button_type === undefined || fields.button_type === 'link') &&
    isUriAllowed(fields.url, options)
  )
}
