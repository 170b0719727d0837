import { buildLink } from '../../contract/generated/build.ts'
import type { Link } from '../../contract/generated/types.ts'
import { rejectFields } from './reject-fields.ts'

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
  return buildLink(fields) ?? rejectFields(link, 'link', 'link', fields)
}
