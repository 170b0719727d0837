import { set } from '../core/set.ts'
import { connectionStatus } from '../core/events.ts'
import { theme } from '../core/preferences.ts'
import { navigate, route, VIEWS } from '../core/route.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { Dot } from '../parts/dot.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../state/request-as.ts'
import { openDialog } from './shortcuts.ts'
import topBarStyle from './top-bar.module.css'

const TABS = ['issues', 'states', 'inspector'] as const

const THEMES = [
  { value: 'system', icon: 'system', name: 'System theme' },
  { value: 'light', icon: 'sun', name: 'Light theme' },
  { value: 'dark', icon: 'moon', name: 'Dark theme' },
] as const

/** The bar above every view. */
export function TopBar() {
  const { view: shown } = route.value
  // The dialogs of apps are above the issues.
  const current = shown === 'apps' ? 'issues' : shown
  return (
    <header class={topBarStyle['top-bar']}>
      <a class={topBarStyle.brand} href="#/issues">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <rect class={topBarStyle['brand-page']} x="1.5" y="2.5" width="17" height="15" rx="3" />
          <rect
            class={topBarStyle['brand-card']}
            x="11.5"
            y="5"
            width="4.5"
            height="10"
            rx="1.25"
          />
        </svg>
        Sidecard
      </a>
      <nav class={topBarStyle.views} aria-label="Views">
        {TABS.map((view) => (
          <a key={view} href={routeHash(view)} aria-current={view === current ? 'page' : undefined}>
            {VIEWS[view]}
          </a>
        ))}
      </nav>
      <div class={topBarStyle['top-end']}>
        <Connection />
        <IconButton
          icon="command"
          label="Commands"
          title="Commands (Ctrl K)"
          onClick={set(openDialog, 'commands')}
        />
        <Menu
          label="Workspace menu"
          items={[
            {
              label: 'Playground',
              icon: 'code',
              onChoose: () => navigate(routeHash('playground')),
            },
            {
              label: 'Connect an app',
              icon: 'plug',
              onChoose: () => navigate(routeHash('apps', 'new')),
            },
            {
              label: 'API and tasks',
              icon: 'terminal',
              onChoose: () => navigate(routeHash('api')),
            },
            {
              label: 'Agent of actions',
              icon: 'lock',
              onChoose: set(openDialog, 'agent'),
            },
            ...THEMES.map(({ value, icon, name }) => ({
              label: name,
              icon: value === theme.value ? ('check' as const) : icon,
              onChoose: set(theme, value),
            })),
            {
              label: 'Keyboard shortcuts',
              icon: 'keyboard',
              onChoose: set(openDialog, 'shortcuts'),
            },
          ]}
        />
      </div>
    </header>
  )
}

function Connection() {
  if (connectionStatus.value !== 'lost') return null
  return (
    <output class={topBarStyle.lost}>
      <Dot tone="warn" />
      Connection lost. Reconnecting…
    </output>
  )
}
