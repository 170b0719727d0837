import { Sidebar } from '../sidebar/sidebar.tsx'
import { classes } from '../core/classes.ts'
import { problem } from '../state/diagnostics.ts'
import { DiagnosticsPane } from '../pane/pane.tsx'
import { Conversation } from '../issues/conversation.tsx'
import { IssueList } from '../issues/issue-list.tsx'
import style from './issues-view.module.css'

/** The view of an agent: the list of issues, the open issue, and the sidebar. */
export function IssuesView() {
  return (
    <div class={style['issues-view']}>
      <IssueList />
      <div class={style.middle}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
        <main class="scroll" id="main" tabIndex={0}>
          <a
            class={classes(style.jump, problem.value !== null && 'tone-bad')}
            href="#sidebar"
            onClick={(event) => {
              event.preventDefault()
              const sidebar = document.getElementById('sidebar')
              sidebar?.scrollIntoView({ block: 'start' })
              sidebar?.focus({ preventScroll: true })
            }}
          >
            <span class="ellipsis">
              Jump to the sidebar
              {problem.value !== null && `: ${problem.value.text}`}
            </span>
          </a>
          <Conversation />
        </main>
        <DiagnosticsPane />
      </div>
      <Sidebar />
    </div>
  )
}
