import type { Payload } from '../../../contract/payload.ts'
import { PayloadView } from './payload-view.tsx'

interface LastGoodProps {
  readonly payload: Payload
  /** What it is the last of, and from when. */
  readonly what: string
}

/** What was shown before something broke, dimmed, for the author to compare. */
export function LastGood({ payload, what }: LastGoodProps) {
  return (
    <div class="last-good">
      <p class="last-good-tag">{what}</p>
      <div class="last-good-body">
        <PayloadView payload={payload} />
      </div>
    </div>
  )
}
