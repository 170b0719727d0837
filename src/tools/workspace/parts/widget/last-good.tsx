import type { Payload } from '../../../../runtime/contract/generated/types.ts'
import { PayloadView } from './payload-view.tsx'
import style from './widget.module.css'

interface LastGoodProps {
  readonly payload: Payload
  /** The label with the time of the render. */
  readonly label: string
}

/** The last successful render, dimmed, for comparison. */
export function LastGood({ payload, label }: LastGoodProps) {
  return (
    <div class={style['last-good']}>
      <h3 class="hint">{label}</h3>
      <div class={style['last-good-body']}>
        <PayloadView payload={payload} />
      </div>
    </div>
  )
}
