import { Segmented } from '../parts/segmented.tsx'
import { showsTruncation, SIDEBAR_WIDTHS, sidebarWidth } from '../state/preferences.ts'

const WIDTHS = SIDEBAR_WIDTHS.map((width) => ({
  value: width as number,
  label: String(width),
  name: `${width} pixels wide`,
}))

/** How wide the sidebar is, and whether what it cuts is marked. */
export function LookTools({ cutCount }: { readonly cutCount: number }) {
  const isOn = showsTruncation.value
  return (
    <div class="tool-row">
      <Segmented
        label="Width of the sidebar"
        value={sidebarWidth.value}
        options={WIDTHS}
        onChange={(width) => {
          sidebarWidth.value = width
        }}
      />
      <button
        type="button"
        class="toggle"
        aria-pressed={isOn}
        onClick={() => {
          showsTruncation.value = !isOn
        }}
      >
        {isOn ? countWords(cutCount) : 'Show truncation'}
      </button>
    </div>
  )
}

function countWords(count: number): string {
  return count === 0 ? 'Nothing is cut' : `${count} cut`
}
