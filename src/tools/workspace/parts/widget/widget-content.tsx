import type { Payload } from '../../../../runtime/contract/generated/types.ts'
import type { WidgetOutcome } from '../../../emulator/protocol/exchanges.ts'
import { Icon } from '../forms/icon.tsx'
import { PayloadView } from './payload-view.tsx'
import style from './widget.module.css'

interface WidgetContentProps {
  readonly payload: Payload | null
  readonly outcome: WidgetOutcome
}

/** The body of a widget as an agent sees it: its payload or an error state. */
export function WidgetContent({ payload, outcome }: WidgetContentProps) {
  if (payload !== null) return <PayloadView payload={payload} />
  return (
    <div class={style['agent-error']}>
      <Icon name="alert" size={20} />
      <p>{agentMessage(outcome)}</p>
    </div>
  )
}

/**
 * Returns the message that an agent sees instead of the widget. The contract does
 * not specify it.
 */
function agentMessage(outcome: WidgetOutcome): string {
  switch (outcome) {
    case 'unknown_component':
    case 'invalid_payload':
      return 'This app could not be displayed.'
    case 'timeout':
      return 'This app took too long to respond.'
    default:
      return 'This app could not be loaded.'
  }
}
