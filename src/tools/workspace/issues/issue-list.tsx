import { useEffect, useRef } from 'preact/hooks'
import type { IssueSummary } from '../../emulator/protocol/workspace.ts'
import { Dot } from '../parts/dot.tsx'
import { Search } from '../parts/forms/field.tsx'
import { Icon } from '../parts/forms/icon.tsx'
import { ListLink } from '../parts/list.tsx'
import { issueId, search, shownIssues, STATE_TONES } from '../state/issue.ts'
import { routeHash } from '../state/request-as.ts'
import { formatRelativeTime } from './format-relative-time.ts'
import listStyle from '../parts/list.module.css'
import style from './issue-list.module.css'

/** The list of issues with a search, most recently changed first. */
export function IssueList() {
  const issues = shownIssues.value
  return (
    <nav class={listStyle.list} aria-label="Issues">
      <div class={style['issue-search']}>
        <Icon name="search" />
        <Search id="issue-search" label="Search issues" placeholder="Search issues" text={search} />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {issues.length === 0 ? (
        <p class={listStyle.nothing}>{search.value === '' ? 'No issues' : 'No matching issues'}</p>
      ) : (
        <ul class={style.issues}>
          {issues.map((issue) => (
            <IssueItem key={issue.id} issue={issue} isOpen={issue.id === issueId.value} />
          ))}
        </ul>
      )}
    </nav>
  )
}

function IssueItem({ issue, isOpen }: { readonly issue: IssueSummary; readonly isOpen: boolean }) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) reveal(item.current, 'ul')
  }, [isOpen])
  return (
    <li ref={item}>
      <ListLink href={routeHash('issues', issue.id)} isOpen={isOpen}>
        <span class="row hint">
          <Dot tone={STATE_TONES[issue.state]} title={issue.state} />
          <span class="grow ellipsis" dir="auto">
            {issue.requester.name}
          </span>
          <time dateTime={issue.updatedAt}>{formatRelativeTime(issue.updatedAt, Date.now())}</time>
        </span>
        <span class={style['issue-title']} dir="auto">
          {issue.title}
        </span>
        <span class="hint ellipsis" dir="auto">
          {issue.preview}
        </span>
      </ListLink>
    </li>
  )
}

/**
 * Scrolls a list so that one of its elements is visible. `scrollIntoView()` would
 * also move the starting point of Tab, which would then miss the skip links.
 */
function reveal(element: HTMLElement | null, list: string): void {
  const place = element?.getBoundingClientRect()
  const scroller = element?.closest(list)
  if (place === undefined || scroller == null) return
  const { top, bottom, left, right } = scroller.getBoundingClientRect()
  scroller.scrollBy({
    top: Math.min(0, place.top - top) + Math.max(0, place.bottom - bottom),
    left: Math.min(0, place.left - left) + Math.max(0, place.right - right),
    behavior: 'instant',
  })
}
