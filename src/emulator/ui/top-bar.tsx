import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './parts/icon.tsx'
import { Segmented } from './parts/segmented.tsx'
import { connectionStatus } from './state/events.ts'
import { theme } from './state/preferences.ts'
import { routeHash } from './state/request-as.ts'
import { route } from './state/route.ts'
import type { View } from './state/route.ts'
import { showsPalette, showsShortcuts } from './state/shortcuts.ts'
import { workspace } from './state/workspace.ts'

/** The tabs of views that do not have their own. */
const OWNERS: Partial<Record<View, View>> = { apps: 'issues', states: 'issues' }

const TABS = [
  { view: 'issues', name: 'Issues' },
  { view: 'inspector', name: 'Inspector' },
  { view: 'console', name: 'Console' },
  { view: 'playground', name: 'Playground' },
  { view: 'checks', name: 'Checks' },
  { view: 'faults', name: 'Faults' },
  { view: 'api', name: 'API' },
] as const

/** The bar above every view. */
export function TopBar() {
  const current = OWNERS[route.value.view] ?? route.value.view
  const faultCount = workspace.value?.faults.rules.length ?? 0
  return (
    <header class="top-bar">
      <a class="brand" href="#/issues">
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <rect class="brand-page" x="1.5" y="2.5" width="17" height="15" rx="3" />
          <rect class="brand-card" x="11.5" y="5" width="4.5" height="10" rx="1.25" />
        </svg>
        Sidecard
      </a>
      <nav class="views" aria-label="Views">
        {TABS.map(({ view, name }) => (
          <Tab key={view} view={view} name={name} isCurrent={view === current}>
            {view === 'faults' && faultCount > 0 && (
              <span
                class="count count-warn"
                title={`${faultCount} active ${faultCount === 1 ? 'rule' : 'rules'}`}
              >
                {faultCount}
              </span>
            )}
          </Tab>
        ))}
      </nav>
      <div class="top-end">
        <Connection />
        <Segmented
          label="Theme"
          value={theme.value}
          options={[
            { value: 'system', label: <Icon name="system" />, name: 'System' },
            { value: 'light', label: <Icon name="sun" />, name: 'Light' },
            { value: 'dark', label: <Icon name="moon" />, name: 'Dark' },
          ]}
          onChange={(chosen) => {
            theme.value = chosen
          }}
        />
        <button
          type="button"
          class="icon-button"
          aria-label="Commands"
          title="Commands (Ctrl K)"
          onClick={() => {
            showsPalette.value = true
          }}
        >
          <Icon name="command" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => {
            showsShortcuts.value = true
          }}
        >
          <Icon name="keyboard" />
        </button>
      </div>
    </header>
  )
}

function Connection() {
  if (connectionStatus.value !== 'lost') return null
  return <output class="lost">Connection lost. Reconnecting…</output>
}

interface TabProps {
  readonly view: View
  readonly name: string
  readonly isCurrent: boolean
  readonly children: ComponentChildren
}

/** A tab. The current one is scrolled into view if the bar is wider than the window. */
function Tab({ view, name, isCurrent, children }: TabProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isCurrent])
  return (
    <a ref={link} href={routeHash(view)} aria-current={isCurrent ? 'page' : undefined}>
      {name}
      {children}
    </a>
  )
}
