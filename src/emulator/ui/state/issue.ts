import { computed, signal } from '@preact/signals'
import type { IssueSummary, IssueView } from '../../protocol.ts'
import { control, reasonOf } from './control.ts'
import { route } from './route.ts'
import { workspace } from './workspace.ts'

/** The issue that is open, with its conversation; null while it is on its way. */
export const openIssue = signal<IssueView | null>(null)

/** Why the issue could not be opened. */
export const issueError = signal<string | null>(null)

/** The words that the list of issues is searched for. */
export const search = signal('')

/** The issues that match the search. */
export const shownIssues = computed<readonly IssueSummary[]>(() => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  return (workspace.value?.issues ?? []).filter((issue) => {
    const text = searchText(issue)
    return words.every((word) => text.includes(word))
  })
})

let lastIssueId: string | null = null

/** The issue of the route, or the one looked at last, or the first. */
export const issueId = computed<string | null>(() => {
  const { value } = route
  if (value.view === 'issues' && value.issueId !== null) lastIssueId = value.issueId
  const issues = workspace.value?.issues ?? []
  if (value.view === 'issues' && value.issueId !== null) return value.issueId
  if (lastIssueId !== null && issues.some(({ id }) => id === lastIssueId)) return lastIssueId
  return issues[0]?.id ?? null
})

/** Fetches the conversation of an issue and shows it, unless another was opened meanwhile. */
export async function loadIssue(id: string): Promise<void> {
  if (openIssue.peek()?.id !== id) openIssue.value = null
  try {
    const issue = await control<IssueView>('GET', `issues/${encodeURIComponent(id)}`)
    if (issueId.peek() !== id) return
    openIssue.value = issue
    issueError.value = null
  } catch (error) {
    if (issueId.peek() === id) issueError.value = reasonOf(error)
  }
}

function searchText(issue: IssueSummary): string {
  const { title, number, preview, requester, account, assignee, tags, state } = issue
  return [
    title,
    `#${number}`,
    preview,
    requester.name,
    requester.email,
    account?.name ?? '',
    assignee?.name ?? '',
    state,
    ...tags.map(({ value }) => value),
  ]
    .join('\n')
    .toLowerCase()
}
