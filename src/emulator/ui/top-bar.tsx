import { Icon } from './parts/icon.tsx'
import { Segmented } from './parts/segmented.tsx'
import { link } from './state/events.ts'
import { theme } from './state/preferences.ts'
import { hashOf, route } from './state/route.ts'
import { showsShortcuts } from './state/shortcuts.ts'
import { workspace } from './state/workspace.ts'

const VIEWS = [
  { view: 'issues', name: 'Issues' },
  { view: 'inspector', name: 'Inspector' },
  { view: 'playground', name: 'Playground' },
  { view: 'checks', name: 'Checks' },
  { view: 'faults', name: 'Faults' },
  { view: 'api', name: 'API' },
] as const

/** The bar over every view. */
export function TopBar() {
  const current = route.value.view === 'app' ? 'issues' : route.value.view
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
        {VIEWS.map(({ view, name }) => (
          <a key={view} href={hashOf(view)} aria-current={view === current ? 'page' : undefined}>
            {name}
            {view === 'faults' && faultCount > 0 && (
              <span class="count count-warn" title={`${faultCount} rules are on`}>
                {faultCount}
              </span>
            )}
          </a>
        ))}
      </nav>
      <div class="top-end">
        <Connection />
        <Segmented
          label="Theme"
          value={theme.value}
          options={[
            { value: 'system', label: <Icon name="system" />, name: 'As the system' },
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
  if (link.value !== 'lost') return null
  return <output class="lost">Connection lost, trying again…</output>
}
