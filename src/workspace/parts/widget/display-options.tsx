import { showsTruncation, SIDEBAR_WIDTHS, sidebarWidth } from '../../core/preferences.ts'
import { set } from '../../core/set.ts'
import { Button } from '../button.tsx'
import type { MenuItem } from '../menu.tsx'

/** The items of a menu for the width of the sidebar and for marking truncated text. */
export function displayItems(): readonly MenuItem[] {
  const isOn = showsTruncation.value
  return [
    {
      label: isOn ? 'Hide truncation' : 'Show truncation',
      icon: 'search',
      onChoose: set(showsTruncation, !isOn),
    },
    ...SIDEBAR_WIDTHS.map((width): MenuItem => ({
      label: `${width} pixels wide`,
      icon: width === sidebarWidth.value ? 'check' : 'sidebar',
      onChoose: set(sidebarWidth, width),
    })),
  ]
}

/** How many texts are truncated, while they are marked. */
export function TruncationToggle({ truncatedCount }: { readonly truncatedCount: number }) {
  if (!showsTruncation.value) return null
  return (
    <Button look="toggle" aria-pressed onClick={set(showsTruncation, false)}>
      {truncatedCount === 0 ? 'Nothing truncated' : `${truncatedCount} truncated`}
    </Button>
  )
}
