import type { Button } from '../contract/generated/types.ts'
import { assertValidFields, hasOnly, isLinkUri, isObject } from './arguments.ts'

/** The fields of a button component. */
export type ButtonFields = Omit<Button, 'type' | 'button_type'> & {
  /**
   * The kind of button. The contract has only links.
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
  if (!isButton(fields)) {
    const isDefault = isObject(fields) && fields['button_type'] === undefined
    const set = isDefault ? { button_type: 'link' } : {}
    assertValidFields({ call: button, name: 'button' }, 'button', fields, set)
  }
  return { type: 'button', label: fields.label, button_type: 'link', url: fields.url }
}

function isButton(fields: unknown): boolean {
  return (
    isObject(fields) &&
    typeof fields['label'] === 'string' &&
    isLinkUri(fields['url']) &&
    (fields['button_type'] === undefined || fields['button_type'] === 'link') &&
    hasOnly(fields, 'label', 'url', 'button_type')
  )
}
