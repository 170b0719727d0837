import { Sidebar } from '../sidebar/sidebar.tsx'
import { DiagnosticsPane } from '../diagnostics/pane.tsx'
import { Conversation } from './conversation.tsx'
import { IssueList } from './issue-list.tsx'
import style from './issues-view.module.css'

/** The view of an agent: the list of issues, the open issue, and the sidebar. */
export function IssuesView() {
  return (
    <div class={style['issues-view']}>
      <IssueList />
      <a
        class={style.jump}
        href="#sidebar"
        onClick={(event) => {
          event.preventDefault()
          const sidebar = document.getElementById('sidebar')
          sidebar?.scrollIntoView({ block: 'start' })
          sidebar?.focus({ preventScroll: true })
        }}
      >
        Jump to the sidebar
      </a>
      <div class={style.middle}>
        <main class={style['issue-main']} id="main" tabIndex={-1}>
          <Conversation />
        </main>
        <DiagnosticsPane />
      </div>
      <Sidebar />
    </div>
  )
}
