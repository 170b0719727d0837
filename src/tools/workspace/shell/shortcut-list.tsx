import { set } from '../core/set.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { openDialog, SHORTCUTS } from './shortcuts.ts'
import style from '../parts/forms/dialog.module.css'

/** The dialog with the list of shortcuts. */
export function ShortcutList() {
  return (
    <Dialog title="Keyboard shortcuts" size="small" onClose={set(openDialog, null)}>
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
