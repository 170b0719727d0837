import { classes } from '../core/classes.ts'
import { dismissNotice, notice } from '../core/notify.ts'
import { IconButton } from './forms/button.tsx'
import { SaveNotice } from './save-notice.tsx'
import style from './toast.module.css'

/** The current notices, in a corner of the page. */
export function Toast() {
  const { value } = notice
  return (
    <div class={style['notice-place']} aria-live="polite">
      <SaveNotice />
      {value !== null && (
        <p key={value.id} class={classes(style.notice, style[`notice-${value.tone}`])}>
          <span>{value.text}</span>
          <IconButton icon="close" label="Dismiss" onClick={dismissNotice} />
        </p>
      )}
    </div>
  )
}
