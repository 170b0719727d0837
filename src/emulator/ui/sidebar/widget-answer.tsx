import type { WidgetOutcome, WidgetView } from '../../protocol.ts'
import { Icon } from '../parts/icon.tsx'
import { AuthorNote } from './author-note.tsx'
import { clockTime } from './clock-time.ts'
import { LastGood } from './last-good.tsx'
import { PayloadView } from './payload-view.tsx'

/** What an agent reads in place of the widget; the contract shows no words for it. */
export function agentMessage(outcome: WidgetOutcome): string {
  switch (outcome) {
    case 'unknown_component':
    case 'invalid_payload':
      return 'This app could not be displayed.'
    case 'timeout':
      return 'This app took too long to answer.'
    default:
      return 'This app could not be loaded.'
  }
}

/** The body of a widget after an answer: its payload, or the error state and the reason. */
export function WidgetAnswer({ view }: { readonly view: WidgetView }) {
  if (view.outcome === 'rendered' && view.payload !== null) {
    return <PayloadView payload={view.payload} />
  }
  return (
    <>
      <div class="agent-error">
        <Icon name="alert" />
        <p>{agentMessage(view.outcome)}</p>
      </div>
      <AuthorNote {...view} />
      {view.lastGood !== null && (
        <LastGood
          payload={view.lastGood.payload}
          what={`The last good render, from ${clockTime(view.lastGood.at)}`}
        />
      )}
    </>
  )
}
