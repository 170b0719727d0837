import * as z from 'zod'

/** Formats the first issue of a failed validation, with its path if it has one. */
export function formatIssue({ issues: [issue] }: z.ZodError): string {
  const path = z.core.toDotPath(issue?.path ?? [])
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'invalid'}`
}
