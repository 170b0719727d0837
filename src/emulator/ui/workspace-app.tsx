import { AppDialog } from './apps/app-dialog.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { IssuesView } from './issues/issues-view.tsx'
import { ChecksView } from './checks/checks-view.tsx'
import { FaultsView } from './faults/faults-view.tsx'
import { AccessView } from './access/access-view.tsx'
import { Empty } from './parts/empty.tsx'
import { Playground } from './playground/playground.tsx'
import { notice } from './state/announce.ts'
import { route } from './state/route.ts'
import { workspace, workspaceError } from './state/workspace.ts'
import { ShortcutList } from './shortcut-list.tsx'
import { TopBar } from './top-bar.tsx'

/** The whole page. */
export function WorkspaceApp() {
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <TopBar />
      {workspace.value === null ? <Waiting /> : <View />}
      <ShortcutList />
      <Notice />
    </>
  )
}

function View() {
  const current = route.value
  switch (current.view) {
    case 'issues':
      return <IssuesView />
    case 'app':
      return (
        <>
          <IssuesView />
          <AppDialog appId={current.appId} />
        </>
      )
    case 'inspector':
      return <Inspector exchangeId={current.exchangeId} />
    case 'playground':
      return <Playground exchangeId={current.exchangeId} />
    case 'checks':
      return <ChecksView appId={current.appId} />
    case 'faults':
      return <FaultsView />
    case 'api':
      break
  }
  return <AccessView />
}

/** The hash is the route, so a link to an anchor would leave the view. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

function Waiting() {
  if (workspaceError.value === null) return <main id="main" class="waiting" aria-busy="true" />
  return (
    <main id="main" class="waiting" tabIndex={-1}>
      <Empty icon="alert" heading="h1" title="The workspace cannot be shown">
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
          {value.text}
        </p>
      )}
    </div>
  )
}
