import { set } from '../core/set.ts'
import { useRef } from 'preact/hooks'
import { apps, workspace } from '../core/workspace.ts'
import { chosenTab, commandProblem } from '../state/diagnostics.ts'
import { ProblemLine } from '../parts/failure/problem-line.tsx'
import { isUnknownIssue } from '../state/issue.ts'
import { Button } from '../parts/forms/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/forms/icon.tsx'
import { LoadAnnouncer } from './load-announcer.tsx'
import { routeHash } from '../state/request-as.ts'
import { SidebarTools } from './sidebar-tools.tsx'
import { shownWidgets } from '../state/widgets.ts'
import { useTruncation } from '../parts/widget/truncation.ts'
import { WidgetPanel } from './widget-panel.tsx'
import sidebarStyle from '../parts/widget/sidebar.module.css'
import widgetStyle from '../parts/widget/widget.module.css'

/** The sidebar next to an issue, with the widgets of every app. */
export function Sidebar() {
  const list = useRef<HTMLDivElement>(null)
  const truncatedCount = useTruncation(list)
  return (
    <aside class={sidebarStyle.sidebar} id="sidebar" tabIndex={-1} aria-label="Sidebar apps">
      <h2 class="visually-hidden">Apps</h2>
      <SidebarTools truncatedCount={truncatedCount} />
      <LoadAnnouncer />
      <div class={sidebarStyle.list} ref={list}>
        <CommandState />
        {isUnknownIssue.value ? (
          <p class={widgetStyle.nothing}>Open an issue to load its widgets.</p>
        ) : (
          shownWidgets.value.map((widget) => <WidgetPanel key={widget.id} {...widget} />)
        )}
        {apps.value.length === 0 ? (
          <Empty icon="plug" title="No apps connected">
            <p>
              Enter your endpoint’s URL. The emulator performs the handshake, fetches the data for
              this issue, and shows what an agent would see.
            </p>
            <Button look="primary" href={routeHash('apps', 'new')}>
              Connect an app
            </Button>
            {workspace.value?.devServer == null && (
              <p class="hint">
                Or use the CLI: <code>sidecard dev</code>
              </p>
            )}
          </Empty>
        ) : (
          <a class={sidebarStyle['add-app']} href={routeHash('apps', 'new')}>
            <Icon name="plus" />
            Connect an app
          </a>
        )}
      </div>
    </aside>
  )
}

/** The state of the dev command, unless it is running. Its error explains those of the widgets. */
function CommandState() {
  const problem = commandProblem.value
  if (problem !== null) {
    return (
      <div role="alert">
        <ProblemLine problem={problem} onOpen={set(chosenTab, 'error')} />
      </div>
    )
  }
  if (workspace.value?.devServer?.state !== 'starting') return null
  return <p class="hint">Your dev command is starting…</p>
}
