import { AppDialog } from '../apps/app-dialog.tsx'
import { route } from '../core/route.ts'
import { set } from '../core/set.ts'
import { workspace, workspaceError } from '../core/workspace.ts'
import { Empty } from '../parts/empty.tsx'
import { Dialog } from '../parts/forms/dialog.tsx'
import { LazyView } from '../parts/lazy-view.tsx'
import { Toast } from '../parts/toast.tsx'
import { SidebarOnly } from '../sidebar/sidebar-only.tsx'
import { AgentDialog } from './agent-dialog.tsx'
import { CommandPalette } from './command-palette.tsx'
import { IssuesView } from './issues-view.tsx'
import { openDialog, SHORTCUTS } from './shortcuts.ts'
import { TopBar } from './top-bar.tsx'
import style from '../parts/forms/dialog.module.css'
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
      <OpenDialog />
      <Toast />
    </>
  )
}

const DIALOGS = { commands: CommandPalette, shortcuts: ShortcutList, agent: AgentDialog }

function OpenDialog() {
  const Open = openDialog.value && DIALOGS[openDialog.value]
  return Open && <Open />
}

function View() {
  const { view, id } = route.value
  switch (view) {
    case 'issues':
      return <IssuesView />
    case 'apps':
      return (
        <>
          <IssuesView />
          <AppDialog appId={id === 'new' ? null : id} />
        </>
      )
    case 'sidebar':
      return <SidebarOnly />
    default:
      return <LazyView as="main" key={view} load={LATER[view]} />
  }
}

const loadLater = () => import('./later-views.ts')

/** The views that load later. */
const LATER = {
  playground: async () => (await import('../playground/playground.tsx')).Playground,
  inspector: async () => (await loadLater()).Inspector,
  states: async () => (await loadLater()).StatesView,
  api: async () => (await loadLater()).AccessView,
}

/**
 * Moves the focus to an element. A link to an anchor would leave the view, because
 * the fragment is the route.
 */
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

/** The dialog with the list of shortcuts. */
function ShortcutList() {
  return (
    <Dialog title="Keyboard shortcuts" size="small" onClose={set(openDialog, null)}>
      <div class={style.body}>
        <dl class="stack">
          {SHORTCUTS.map(({ keys, description }) => (
            <div key={keys} class="row between">
              <dt>{description}</dt>
              <dd class="row">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}
