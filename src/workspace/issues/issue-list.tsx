import { useEffect, useRef } from 'preact/hooks'
import type { IssueSummary } from '../../emulator/protocol/workspace.ts'
import { reveal } from '../core/reveal.ts'
import { Icon } from '../parts/icon.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { formatRelativeTime } from './format-relative-time.ts'
import { issueId, search, shownIssues } from './issue.ts'
import { classes } from '../core/classes.ts'
import layoutStyle from '../parts/layout.module.css'
import issueListStyle from './issue-list.module.css'

/** The list of issues with a search, most recently changed first. */
export function IssueList() {
  const issues = shownIssues.value
  return (
    <nav class={issueListStyle['issue-list']} aria-label="Issues">
      <div class={issueListStyle['issue-search']}>
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
        <p class={layoutStyle['list-nothing']}>
          {search.value === '' ? 'No issues' : 'No matching issues'}
        </p>
      ) : (
        <ul class={issueListStyle.issues}>
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
    if (isOpen) reveal(item.current, 'ul')
  }, [isOpen])
  return (
    <li>
      <a
        ref={item}
        class={issueListStyle['issue-item']}
        href={routeHash('issues', issue.id)}
        aria-current={isOpen ? 'page' : undefined}
      >
        <span class={issueListStyle['issue-line']}>
          <span
            class={classes(issueListStyle['issue-dot'], issueListStyle[`issue-${issue.state}`])}
            title={issue.state}
          />
          <span class={issueListStyle['issue-who']} dir="auto">
            {issue.requester.name}
          </span>
          <time dateTime={issue.updatedAt}>{formatRelativeTime(issue.updatedAt, Date.now())}</time>
        </span>
        <span class={issueListStyle['issue-title']} dir="auto">
          {issue.title}
        </span>
        <span class={issueListStyle['issue-preview']} dir="auto">
          {issue.preview}
        </span>
      </a>
    </li>
  )
}
