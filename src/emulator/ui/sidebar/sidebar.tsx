import { useRef } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { sidebarWidth } from '../state/preferences.ts'
import { hashOf } from '../state/route.ts'
import { apps } from '../state/workspace.ts'
import { SidebarTools } from './sidebar-tools.tsx'
import { useTruncation } from './truncation.ts'
import { WidgetPanel } from './widget-panel.tsx'

/** The sidebar beside an issue, with the widgets of every app. */
export function Sidebar() {
  const list = useRef<HTMLDivElement>(null)
  const cutCount = useTruncation(list)
  return (
    <aside class="sidebar" aria-label="Sidebar apps" style={{ width: `${sidebarWidth.value}px` }}>
      <h2 class="visually-hidden">Apps</h2>
      <SidebarTools cutCount={cutCount} />
      <div class="sidebar-list" ref={list}>
        {apps.value.flatMap((app) =>
          app.widgets.map((widget) => <WidgetPanel key={widget.id} app={app} widget={widget} />),
        )}
        {apps.value.length === 0 ? (
          <Empty icon="plug" title="No app yet">
            <p>
              Give the emulator the address of your endpoint. It shakes hands, asks for the data of
              this issue, and shows here what an agent would see.
            </p>
            <a class="button button-primary" href={hashOf('apps', 'new')}>
              Connect an app
            </a>
            <p class="hint">
              Or let the command do it: <code>sidecard dev --url http://127.0.0.1:8787</code>
            </p>
          </Empty>
        ) : (
          <a class="add-app" href={hashOf('apps', 'new')}>
            <Icon name="plus" />
            Connect an app
          </a>
        )}
      </div>
    </aside>
  )
}
