import { AppDialog } from '../apps/app-dialog.tsx'
import { ChecksView } from '../checks/checks-view.tsx'
import { ConsoleView } from '../console/console-view.tsx'
import { route } from '../core/route.ts'
import { workspace, workspaceError } from '../core/workspace.ts'
import { IssuesView } from '../issues/issues-view.tsx'
import { Empty } from '../parts/empty.tsx'
import { LazyView } from '../parts/lazy-view.tsx'
import { Toast } from '../parts/toast.tsx'
import { SidebarOnly } from '../sidebar/sidebar-only.tsx'
import { CommandPalette } from './command-palette.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { TopBar } from './top-bar.tsx'
import layoutStyle from '../parts/layout.module.css'

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
      <Toast />
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
      return <LazyView key="states" load={loadStates} />
    case 'console':
      return <ConsoleView />
    case 'inspector':
      return <LazyView key="inspector" load={loadInspector} />
    case 'playground':
      return <LazyView key="playground" load={loadPlayground} />
    case 'checks':
      return <ChecksView appId={current.id} />
    case 'faults':
      return <LazyView key="faults" load={loadFaults} />
    case 'api':
      break
  }
  return <LazyView key="api" load={loadAccess} />
}

/** Views that are not needed at the start. The editor is a third of the workspace's script. */
const loadPlayground = async () => (await import('../playground/playground.tsx')).Playground
const loadInspector = async () => (await import('./later-views.ts')).Inspector
const loadStates = async () => (await import('./later-views.ts')).StatesView
const loadFaults = async () => (await import('./later-views.ts')).FaultsView
const loadAccess = async () => (await import('./later-views.ts')).AccessView

/** The fragment is the route, so a link to an anchor would leave the view. */
function skipTo(event: MouseEvent, id: string): void {
  event.preventDefault()
  const target = document.getElementById(id) ?? document.getElementById('main')
  target?.focus()
  target?.scrollIntoView({ block: 'start' })
}

function Waiting() {
  if (workspaceError.value === null)
    return <main id="main" class={layoutStyle.waiting} aria-busy="true" />
  return (
    <main id="main" class={layoutStyle.waiting} tabIndex={-1}>
      <Empty icon="alert" heading="h1" title="Cannot load the workspace">
        <p role="alert">{workspaceError.value}</p>
      </Empty>
    </main>
  )
}
