import type { Link } from '../contract/payload.ts'
import { hasOnly, isString, isUriAllowed, judge, type UriOptions } from './arguments.ts'

/** The fields of a link component. */
export type LinkFields = Omit<Link, 'type'>

/**
 * A labelled link.
 *
 * @throws InvalidComponentError `invalid_component`
 *
 * @example link({ label: 'Invoice', url: 'https://example.com/invoices/1234' })
 *
 * @see docs/contract.md#link
 */
export function link(fields: LinkFields, options?: UriOptions): Link {
  if (!isLink(fields, options)) judge(link, 'link', fields, options)
  return { type: 'link', label: fields.label, url: fields.url }
}

function isLink(fields: LinkFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(fields, 'label', 'url') && isString(fields.label) && isUriAllowed(fields.url, options)
  )
}
