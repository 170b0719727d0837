import { Dialog } from './parts/dialog.tsx'
import { SHORTCUTS, showsShortcuts } from './state/shortcuts.ts'

/** The list of shortcuts, while it is open. */
export function ShortcutList() {
  if (!showsShortcuts.value) return null
  return (
    <Dialog
      title="Keyboard shortcuts"
      size="small"
      onClose={() => {
        showsShortcuts.value = false
      }}
    >
      <dl class="shortcuts">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
