import { classes } from '../core/classes.ts'
import { dismissNotice, notice } from '../core/notify.ts'
import { IconButton } from './button.tsx'
import style from './toast.module.css'

/** The current notice, in a corner of the page. */
export function Toast() {
  const { value } = notice
  return (
    <div class={style['notice-place']} aria-live="polite">
      {value !== null && (
        <p key={value.id} class={classes(style.notice, style[`notice-${value.tone}`])}>
          <span>{value.text}</span>
          <IconButton icon="close" label="Dismiss" onClick={dismissNotice} />
        </p>
      )}
    </div>
  )
}
