import { computed, signal } from '@preact/signals'
import type { IssueSummary, IssueView } from '../../emulator/protocol/workspace.ts'
import { control, errorMessage } from '../core/control.ts'
import { matches } from '../core/matches.ts'
import { route } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'

/** The open issue with its conversation; null while it is loading. */
export const openIssue = signal<IssueView | null>(null)

/** The reason why the issue cannot be loaded. */
export const issueError = signal<string | null>(null)

/** The search text of the issue list. */
export const search = signal('')

/** The issues that match the search. */
export const shownIssues = computed<readonly IssueSummary[]>(() =>
  (workspace.value?.issues ?? []).filter((issue) =>
    matches(search.value, [issue, `#${issue.number}`]),
  ),
)

let lastIssueId: string | null = null

/** The issue of the route, or the last opened one, or the first. */
export const issueId = computed<string | null>(() => {
  const { value } = route
  const isIssue = value.view === 'issues' || value.view === 'sidebar' || value.view === 'states'
  const routeId = isIssue ? value.id : null
  if (routeId !== null) lastIssueId = routeId
  const issues = workspace.value?.issues ?? []
  if (routeId !== null) return routeId
  if (lastIssueId !== null && issues.some(({ id }) => id === lastIssueId)) return lastIssueId
  return issues[0]?.id ?? null
})

/** Whether the route names an issue that does not exist. */
export const isUnknownIssue = computed(() => {
  const issues = workspace.value?.issues
  return (
    issues !== undefined && issueId.value !== null && !issues.some(({ id }) => id === issueId.value)
  )
})

/** The color of the dot of each state. */
export const STATE_TONES = {
  new: 'info',
  open: 'good',
  waiting: 'warn',
  closed: undefined,
} as const

/** Loads the conversation of an issue, unless another issue is opened in the meantime. */
export async function loadIssue(id: string): Promise<void> {
  if (openIssue.peek()?.id !== id) openIssue.value = null
  try {
    const issue = await control('GET issues/:issueId', { issueId: id })
    if (issueId.peek() !== id) return
    openIssue.value = issue
    issueError.value = null
  } catch (error) {
    if (issueId.peek() === id) issueError.value = errorMessage(error)
  }
}
