import type { Link } from '../contract/generated/types.ts'
import { assertValidFields, hasOnly, isLinkUri, isObject } from './arguments.ts'

/** The fields of a link component. */
export type LinkFields = Omit<Link, 'type'>

/**
 * Creates a link.
 *
 * @throws {InvalidComponentError} `invalid_component`
 *
 * @example link({ label: 'Invoice', url: 'https://example.com/invoices/1234' })
 *
 * @see docs/contract.md#link
 */
export function link(fields: LinkFields): Link {
  if (!isLink(fields)) assertValidFields({ call: link, name: 'link' }, 'link', fields)
  return { type: 'link', label: fields.label, url: fields.url }
}

function isLink(fields: unknown): boolean {
  return (
    isObject(fields) &&
    typeof fields['label'] === 'string' &&
    isLinkUri(fields['url']) &&
    hasOnly(fields, 'label', 'url')
  )
}
