import { isInstance } from '../../internal/hostile-values.ts'
import type { ActionMessages } from '../messages.ts'
import type { PageView } from '../page/page-view.ts'

/** The messages that tell an agent why a sign-in denied them. */
type Reason = 'tooManyGroups' | 'groupsUnknown' | 'otherAccount'

/** The error of a request that is denied. Its message is for the log. */
export class DenialError extends Error {
  override readonly name: string = 'DenialError'
  /** The message for the agent, instead of the general one. */
  readonly reason: Reason | undefined

  constructor(message: string, reason?: Reason) {
    super(message)
    this.reason = reason
  }
}

/** Returns the part of the page that says why a request was denied. */
export function explainDenial(
  error: unknown,
  messages: ActionMessages,
): Pick<PageView, 'error' | 'text' | 'showsTraceId'> {
  const reason = isInstance(error, DenialError) ? error.reason : undefined
  return { error, showsTraceId: true, ...(reason !== undefined && { text: messages[reason] }) }
}
