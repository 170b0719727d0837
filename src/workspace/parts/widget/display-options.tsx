import { showsTruncation } from '../../core/preferences.ts'
import { set } from '../../core/set.ts'
import { Button } from '../button.tsx'
import type { MenuItem } from '../menu.tsx'

/** The item of a menu that marks truncated text. */
export function truncationItem(): MenuItem {
  const isOn = showsTruncation.value
  const label = isOn ? 'Hide truncation' : 'Show truncation'
  return { label, icon: 'search', onChoose: set(showsTruncation, !isOn) }
}

/** A button with the number of truncated texts, shown while they are marked. */
export function TruncationToggle({ truncatedCount }: { readonly truncatedCount: number }) {
  if (!showsTruncation.value) return null
  return (
    <Button look="toggle" aria-pressed onClick={set(showsTruncation, false)}>
      {truncatedCount === 0 ? 'Nothing truncated' : `${truncatedCount} truncated`}
    </Button>
  )
}
