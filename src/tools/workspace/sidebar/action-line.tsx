import { followedActions } from '../state/actions.ts'
import style from './action-line.module.css'

/** The text for each outcome of an action's page, for the developer who returns from the page. */
const TEXTS: Readonly<Record<string, readonly [text: string, tone: string]>> = {
  already_done: ['done', 'good'],
  shown: ['not done', 'info'],
  in_progress: ['still running', 'warn'],
  unknown: ['it is not known whether it was done', 'bad'],
  expired: ['the link has expired', 'warn'],
  forbidden: ['denied', 'warn'],
  failed: ['failed, nothing was done', 'bad'],
}

/** The outcome of a widget's last action. */
export function ActionLine({ widgetId }: { readonly widgetId: string }) {
  const followed = followedActions.value.get(widgetId)
  const [text, tone] = TEXTS[followed?.outcome ?? ''] ?? [null, '']
  return (
    <output class={style.line}>
      {followed !== undefined && text !== null && (
        <>
          <span dir="auto">{followed.label}</span>: <b class={`tone-${tone}`}>{text}</b>
        </>
      )}
    </output>
  )
}
