import type { Header } from '../contract/generated/types.ts'
import type { PayloadIssue } from '../contract/issues.ts'
import { isThenable } from '../internal/hostile-values.ts'
import { isObject as isRecord } from '../contract/write-values.ts'
import { hasOnly, isObject, isOptionalIcon } from './arguments.ts'

/**
 * The fields of a header. Sidecard requires a title. The contract does not say
 * whether it is required (A1).
 */
export type HeaderFields = Omit<Header, 'title'> & {
  /** The title of the widget or card. */
  readonly title: string
}

/** Returns a header with the contract's fields only. */
export function copyHeader({ title, icon_url }: HeaderFields): Header {
  return icon_url === undefined ? { title } : { title, icon_url }
}

/** Returns whether a value is a valid header with a title. */
export function isHeader(header: unknown): boolean {
  return (
    isObject(header) &&
    typeof header['title'] === 'string' &&
    isOptionalIcon(header['icon_url']) &&
    hasOnly(header, 'title', 'icon_url')
  )
}

/** Returns an issue if a header has no title, which the contract may allow (A1). */
export function missingTitleIssues(header: unknown): PayloadIssue[] {
  if (!isRecord(header) || isThenable(header) || header['title'] !== undefined) return []
  const path = 'header.title'
  return [{ path, code: 'missing_field', message: 'is missing', fix: 'Add "title", a string.' }]
}
