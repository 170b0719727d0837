import { Sidebar } from '../sidebar/sidebar.tsx'
import { Conversation } from './conversation.tsx'
import { IssueList } from './issue-list.tsx'

/** The workspace of an agent: the issues, one of them open, and the apps beside it. */
export function IssuesView() {
  return (
    <div class="issues-view">
      <IssueList />
      <main class="issue-main" id="main" tabIndex={-1}>
        <Conversation />
      </main>
      <Sidebar />
    </div>
  )
}
