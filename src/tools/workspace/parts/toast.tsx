import { signal } from '@preact/signals'
import { act } from '../core/act.ts'
import { classes } from '../core/classes.ts'
import { control } from '../core/control.ts'
import { formatTime } from '../core/format.ts'
import { dismissNotice, notice } from '../core/notify.ts'
import { workspace } from '../core/workspace.ts'
import { Button, IconButton } from './forms/button.tsx'
import style from './toast.module.css'

/** The current notices, in a corner of the page. */
export function Toast() {
  const { value } = notice
  return (
    <div class={style['notice-place']} aria-live="polite">
      <IgnoredChange />
      {value !== null && (
        <p key={value.id} class={classes(style.notice, style[`notice-${value.tone}`])}>
          <span>{value.text}</span>
          <IconButton icon="close" label="Dismiss" onClick={dismissNotice} />
        </p>
      )}
    </div>
  )
}

/** The files whose notice was dismissed, because the app writes them. */
const dismissed = signal<readonly string[]>([])

/** A change that `sidecard dev` did not load, because the app may have made it. */
function IgnoredChange() {
  const change = workspace.value?.ignoredChange
  if (change === undefined || dismissed.value.includes(change.file)) return null
  const { file, at } = change
  return (
    <p class={style.notice}>
      <span>
        <bdi class={style.file}>{file}</bdi> changed at {formatTime(at)} while your app was working,
        so it was not loaded.
      </span>
      <Button small onClick={() => void act(() => control('POST source/load'))}>
        Reload
      </Button>
      <IconButton
        icon="close"
        label="Dismiss"
        onClick={() => {
          dismissed.value = [...dismissed.peek(), file]
        }}
      />
    </p>
  )
}
