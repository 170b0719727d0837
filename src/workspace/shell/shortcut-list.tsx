import { set } from '../core/set.ts'
import { Dialog } from '../parts/dialog.tsx'
import { SHORTCUTS, showsShortcuts } from './shortcuts.ts'
import style from '../parts/dialog.module.css'

/** The dialog with the list of shortcuts. */
export function ShortcutList() {
  if (!showsShortcuts.value) return null
  return (
    <Dialog title="Keyboard shortcuts" size="small" onClose={set(showsShortcuts, false)}>
      <div class={style.body}>
        <dl class="stack">
          {SHORTCUTS.map(({ keys, description }) => (
            <div key={keys} class="row between">
              <dt>{description}</dt>
              <dd class="row">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  )
}
