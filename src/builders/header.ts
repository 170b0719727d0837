import type { Header } from '../contract/payload.ts'
import { hasOnly, isString, isUriAllowed, type UriOptions } from './arguments.ts'

/** A header that we write has a title, though the contract may not ask for one (A1). */
export interface HeaderFields {
  readonly title: string
  readonly icon_url?: string | undefined
}

/** A header with the contract's fields and no other. */
export function headerOf({ title, icon_url }: HeaderFields): Header {
  return icon_url === undefined ? { title } : { title, icon_url }
}

export function isHeader(header: HeaderFields, options: UriOptions | undefined): boolean {
  return (
    hasOnly(header, 'title', 'icon_url') &&
    isString(header.title) &&
    (header.icon_url === undefined || isUriAllowed(header.icon_url, options))
  )
}
