import { useEffect, useRef } from 'preact/hooks'
import type { IssueSummary } from '../../protocol.ts'
import { Icon } from '../parts/icon.tsx'
import { issueId, search, shownIssues } from '../state/issue.ts'
import { routeHash } from '../state/request-as.ts'
import { formatRelativeTime } from './format-relative-time.ts'

/** The list of issues with a search, most recently changed first. */
export function IssueList() {
  const issues = shownIssues.value
  return (
    <nav class="issue-list" aria-label="Issues">
      <div class="issue-search">
        <Icon name="search" />
        <input
          id="issue-search"
          type="search"
          placeholder="Search issues"
          aria-label="Search issues"
          autocomplete="off"
          spellcheck={false}
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
          }}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {issues.length === 0 ? (
        <p class="list-nothing">{search.value === '' ? 'No issues' : 'No matching issues'}</p>
      ) : (
        <ul class="issues">
          {issues.map((issue) => (
            <IssueItem key={issue.id} issue={issue} isOpen={issue.id === issueId.value} />
          ))}
        </ul>
      )}
    </nav>
  )
}

function IssueItem({ issue, isOpen }: { readonly issue: IssueSummary; readonly isOpen: boolean }) {
  const item = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <li>
      <a
        ref={item}
        class="issue-item"
        href={routeHash('issues', issue.id)}
        aria-current={isOpen ? 'page' : undefined}
      >
        <span class="issue-line">
          <span class={`issue-dot issue-${issue.state}`} title={issue.state} />
          <span class="issue-who" dir="auto">
            {issue.requester.name}
          </span>
          <time class="issue-when" dateTime={issue.updatedAt}>
            {formatRelativeTime(issue.updatedAt, Date.now())}
          </time>
        </span>
        <span class="issue-title" dir="auto">
          {issue.title}
        </span>
        <span class="issue-preview" dir="auto">
          {issue.preview}
        </span>
      </a>
    </li>
  )
}
