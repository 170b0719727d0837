import { Segmented } from '../parts/segmented.tsx'
import { scenario, showsTruncation, SIDEBAR_WIDTHS, sidebarWidth } from '../state/preferences.ts'
import { workspace } from '../state/workspace.ts'

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
      <div class="tool-row">
        <Segmented
          label="Width of the sidebar"
          value={sidebarWidth.value}
          options={SIDEBAR_WIDTHS.map((width) => ({
            value: width as number,
            label: String(width),
            name: `${width} pixels wide`,
          }))}
          onChange={(width) => {
            sidebarWidth.value = width
          }}
        />
        <button
          type="button"
          class="toggle"
          aria-pressed={showsTruncation.value}
          onClick={() => {
            showsTruncation.value = !showsTruncation.value
          }}
        >
          {showsTruncation.value ? `${cutCount} cut` : 'Show truncation'}
        </button>
      </div>
      {current !== undefined && current.id !== 'as-is' && (
        <output class="scenario-note">{current.description}</output>
      )}
    </div>
  )
}
