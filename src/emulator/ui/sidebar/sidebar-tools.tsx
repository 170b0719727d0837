import { scenario } from '../state/preferences.ts'
import { workspace } from '../state/workspace.ts'
import { LookTools } from './look-tools.tsx'

/** How the sidebar is looked at: who calls, how wide it is, and what is cut. */
export function SidebarTools({ cutCount }: { readonly cutCount: number }) {
  const scenarios = workspace.value?.scenarios ?? []
  const current = scenarios.find(({ id }) => id === scenario.value)
  return (
    <div class="sidebar-tools">
      <div class="tool-row">
        <label class="select-label">
          <span class="visually-hidden">Scenario</span>
          <select
            class="select"
            value={scenario.value}
            onChange={({ currentTarget }) => {
              const chosen = scenarios.find(({ id }) => id === currentTarget.value)
              if (chosen !== undefined) scenario.value = chosen.id
            }}
          >
            {scenarios.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <LookTools cutCount={cutCount} />
      {current !== undefined && current.id !== 'as-is' && (
        <output class="scenario-note">{current.description}</output>
      )}
    </div>
  )
}
