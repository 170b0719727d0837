import { set } from '../core/set.ts'
import { Dialog } from '../parts/dialog.tsx'
import { SHORTCUTS, showsShortcuts } from './shortcuts.ts'
import style from './shortcut-list.module.css'

/** The dialog with the list of shortcuts. */
export function ShortcutList() {
  if (!showsShortcuts.value) return null
  return (
    <Dialog title="Keyboard shortcuts" size="small" onClose={set(showsShortcuts, false)}>
      <dl class={style.shortcuts}>
        {SHORTCUTS.map(({ keys, description }) => (
          <div key={keys} class="row between">
            <dt class="row">
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
