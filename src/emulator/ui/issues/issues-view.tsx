import { Sidebar } from '../sidebar/sidebar.tsx'
import { Conversation } from './conversation.tsx'
import { IssueList } from './issue-list.tsx'

/** The view of an agent: the list of issues, the open issue, and the sidebar. */
export function IssuesView() {
  return (
    <div class="issues-view">
      <IssueList />
      <a
        class="jump"
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
      <main class="issue-main" id="main" tabIndex={-1}>
        <Conversation />
      </main>
      <Sidebar />
    </div>
  )
}
