import { computed, signal } from '@preact/signals'
import type { IssueSummary } from '../../emulator/protocol/workspace.ts'
import { control } from '../core/control.ts'
import { matches } from '../core/matches.ts'
import { remote } from '../core/remote.ts'
import { route } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'

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

const issue = remote(() => control('GET issues/:issueId', { issueId: issueId.peek() ?? '' }))

/** The open issue with its conversation; null while it is loading. `issueError` says why it cannot be loaded. */
export const { data: openIssue, error: issueError } = issue

/** Loads the conversation of the open issue. */
export function loadIssue(): void {
  const id = issueId.peek()
  if (id === null) return
  if (openIssue.peek()?.id !== id) openIssue.value = null
  void issue.load()
}
