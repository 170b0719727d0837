import type { Header } from '../../contract/generated/types.ts'

/**
 * The fields of a header. Sidecard requires a title. The contract does not say
 * whether it is required (A1).
 */
export type HeaderFields = Omit<Header, 'title'> & {
  /** The title of the widget or card. */
  readonly title: string
}

/** Returns whether a header is absent or has a title. */
export function hasTitle(header: Header | undefined): boolean {
  return header === undefined || header.title !== undefined
}
