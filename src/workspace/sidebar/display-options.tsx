import { showsTruncation, SIDEBAR_WIDTHS, sidebarWidth } from '../core/preferences.ts'
import { Button } from '../parts/button.tsx'
import { Segmented } from '../parts/segmented.tsx'
import style from './sidebar.module.css'

const WIDTHS = SIDEBAR_WIDTHS.map((width) => ({
  value: width as number,
  label: String(width),
  name: `${width} pixels wide`,
}))

/** The controls for the width of the sidebar and for marking truncated text. */
export function DisplayOptions({ truncatedCount }: { readonly truncatedCount: number }) {
  const isOn = showsTruncation.value
  return (
    <div class={style['tool-row']}>
      <div class={style.tool}>
        <span class={style['tool-label']} aria-hidden="true">
          Width
        </span>
        <Segmented
          label="Sidebar width"
          value={sidebarWidth.value}
          options={WIDTHS}
          onChange={(width) => {
            sidebarWidth.value = width
          }}
        />
      </div>
      <Button
        look="toggle"
        aria-pressed={isOn}
        onClick={() => {
          showsTruncation.value = !isOn
        }}
      >
        {isOn ? formatTruncatedCount(truncatedCount) : 'Show truncation'}
      </Button>
    </div>
  )
}

function formatTruncatedCount(count: number): string {
  return count === 0 ? 'Nothing truncated' : `${count} truncated`
}
