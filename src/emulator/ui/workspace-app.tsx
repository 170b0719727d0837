import { AppDialog } from './apps/app-dialog.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { IssuesView } from './issues/issues-view.tsx'
import { ChecksView } from './checks/checks-view.tsx'
import { FaultsView } from './faults/faults-view.tsx'
import { AccessView } from './access/access-view.tsx'
import { Empty } from './parts/empty.tsx'
import { LazyView } from './parts/lazy-view.tsx'
import { Icon } from './parts/icon.tsx'
import { dismissNotice, notice } from './state/notify.ts'
import { route } from './state/route.ts'
import { workspace, workspaceError } from './state/workspace.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { CommandPalette } from './command-palette.tsx'
import { ConsoleView } from './console/console-view.tsx'
import { StatesView } from './states/states-view.tsx'
import { SidebarOnly } from './sidebar/sidebar-only.tsx'
import { TopBar } from './top-bar.tsx'

/** The whole page. */
export function WorkspaceApp() {
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => skipTo(event, 'main')}>
        Skip to content
      </a>
      {(route.value.view === 'issues' || route.value.view === 'apps') && (
        <a class="skip" href="#sidebar" onClick={(event) => skipTo(event, 'sidebar')}>
          Skip to sidebar
        </a>
      )}
      {route.value.view !== 'sidebar' && <TopBar />}
      {workspace.value === null ? <Waiting /> : <View />}
      <ShortcutList />
      <CommandPalette />
      <Notice />
    </>
  )
}

function View() {
  const current = route.value
  switch (current.view) {
    case 'issues':
      return <IssuesView />
    case 'apps':
      return (
        <>
          <IssuesView />
          <AppDialog appId={current.id === 'new' ? null : current.id} />
        </>
      )
    case 'sidebar':
      return <SidebarOnly />
    case 'states':
      return <StatesView />
    case 'console':
      return <ConsoleView />
    case 'inspector':
      return <Inspector exchangeId={current.id} />
    case 'playground':
      return <LazyView load={loadPlayground} />
    case 'checks':
      return <ChecksView appId={current.id} />
    case 'faults':
      return <FaultsView />
    case 'api':
      break
  }
  return <AccessView />
}

/** The editor is loaded on demand, because it is a third of the workspace's script. */
const loadPlayground = async () => (await import('./playground/playground.tsx')).Playground

/** The fragment is the route, so a link to an anchor would leave the view. */
function skipTo(event: MouseEvent, id: string): void {
  event.preventDefault()
  const target = document.getElementById(id) ?? document.getElementById('main')
  target?.focus()
  target?.scrollIntoView({ block: 'start' })
}

function Waiting() {
  if (workspaceError.value === null) return <main id="main" class="waiting" aria-busy="true" />
  return (
    <main id="main" class="waiting" tabIndex={-1}>
      <Empty icon="alert" heading="h1" title="Cannot load the workspace">
        <p role="alert">{workspaceError.value}</p>
      </Empty>
    </main>
  )
}

function Notice() {
  const { value } = notice
  return (
    <div class="notice-place" aria-live="polite">
      {value !== null && (
        <p key={value.id} class={`notice notice-${value.tone}`}>
          <span>{value.text}</span>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={dismissNotice}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  )
}
