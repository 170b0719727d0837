import { classes } from '../core/classes.ts'
import { sentParameters } from '../state/sent-parameters.ts'
import style from './conversation.module.css'

const HIDDEN = new Set(['request_type', 'app_id', 'widget_id'])

/** The IDs with which the widgets were requested. */
export function SentIds() {
  if (sentParameters.value.size === 0) return null
  const sent = [...sentParameters.value].filter(([name]) => !HIDDEN.has(name))
  const shown = sent.length > 0 ? sent : [['IDs sent', 'none'] as const]
  return (
    <dl class={classes(style['sent-ids'], 'mono')} aria-label="IDs sent to the apps">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt class="muted">{name}</dt>
          <dd class="ellipsis" dir="ltr" title={value}>
            {value === '' ? <span class="muted">empty</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
