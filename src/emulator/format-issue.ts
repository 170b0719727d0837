import type { z } from 'zod'

/** Formats a path: `['rules', 0, 'times']` → `rules[0].times`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

/** Formats the first issue of a failed validation, with its path if it has one. */
export function formatIssue({ issues: [issue] }: z.ZodError): string {
  const path = formatPath(issue?.path ?? [])
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'invalid'}`
}
