import { useRef } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { isUnknownIssue } from '../state/issue.ts'
import { sidebarWidth } from '../state/preferences.ts'
import { routeHash } from '../state/request-as.ts'
import { apps, workspace } from '../state/workspace.ts'
import { DevServerNote } from './dev-server-note.tsx'
import { LoadAnnouncer } from './load-announcer.tsx'
import { SidebarTools } from './sidebar-tools.tsx'
import { useTruncation } from './truncation.ts'
import { WidgetPanel } from './widget-panel.tsx'

/** The sidebar next to an issue, with the widgets of every app. */
export function Sidebar() {
  const list = useRef<HTMLDivElement>(null)
  const truncatedCount = useTruncation(list)
  return (
    <aside
      class="sidebar"
      id="sidebar"
      tabIndex={-1}
      aria-label="Sidebar apps"
      style={{ width: `${sidebarWidth.value}px` }}
    >
      <h2 class="visually-hidden">Apps</h2>
      <SidebarTools truncatedCount={truncatedCount} />
      <LoadAnnouncer />
      <div class="sidebar-list" ref={list}>
        <DevServerNote />
        {isUnknownIssue.value ? (
          <p class="widget-nothing">Open an issue to load its widgets.</p>
        ) : (
          apps.value.flatMap((app) =>
            app.widgets.map((widget) => <WidgetPanel key={widget.id} app={app} widget={widget} />),
          )
        )}
        {apps.value.length === 0 ? (
          <Empty icon="plug" title="No apps connected">
            <p>
              Enter your endpoint’s URL. The emulator performs the handshake, fetches the data for
              this issue, and shows what an agent would see.
            </p>
            <a class="button button-primary" href={routeHash('apps', 'new')}>
              Connect an app
            </a>
            {workspace.value?.devServer == null && (
              <p class="hint">
                Or use the CLI: <code>sidecard dev</code>
              </p>
            )}
          </Empty>
        ) : (
          <a class="add-app" href={routeHash('apps', 'new')}>
            <Icon name="plus" />
            Connect an app
          </a>
        )}
      </div>
    </aside>
  )
}
