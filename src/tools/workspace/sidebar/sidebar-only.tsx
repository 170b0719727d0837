import { apps } from '../core/workspace.ts'
import { issueId, isUnknownIssue } from '../state/issue.ts'
import { LoadAnnouncer } from './load-announcer.tsx'
import { routeHash } from '../state/request-as.ts'
import { shownWidgets } from '../state/widgets.ts'
import { Widget } from './widget.tsx'
import sidebarStyle from '../parts/widget/sidebar.module.css'
import widgetStyle from '../parts/widget/widget.module.css'

/**
 * The widgets without the rest of the workspace, for a second screen and for
 * screenshots. Automation can wait for `data-ready` on `<html>`, which is set
 * when every widget has loaded.
 */
export function SidebarOnly() {
  return (
    <main class={sidebarStyle.only} id="main" tabIndex={-1} aria-label="Sidebar apps">
      <h1 class="visually-hidden">Sidebar</h1>
      <h2 class="visually-hidden">Apps</h2>
      <a class="skip" href={routeHash('issues', issueId.value)}>
        Back to the workspace
      </a>
      <LoadAnnouncer />
      {isUnknownIssue.value ? (
        <p class={widgetStyle.nothing}>No issue has this ID.</p>
      ) : (
        shownWidgets.value.map((widget) => <Widget key={widget.id} {...widget} />)
      )}
      {apps.value.length === 0 && <p class={widgetStyle.nothing}>No apps connected</p>}
    </main>
  )
}
