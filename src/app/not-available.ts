import { card } from '../builders/card.ts'
import { text } from '../builders/text.ts'
import type { Card } from '../contract/payload.ts'
import type { FetchDataParameter } from '../contract/parameters.ts'
import { SidecardError } from '../errors.ts'

const WORDS: Readonly<Record<FetchDataParameter, string>> = {
  app_id: 'custom app',
  widget_id: 'widget',
  issue_id: 'issue',
  organization_id: 'organization',
  account_id: 'account',
  requester_id: 'requester',
  requester_email: 'e-mail address of the requester',
}

/**
 * Thrown by `ctx.require(name)` when the issue does not have that id. Left to
 * pass, it becomes a card that tells the agent so.
 *
 * @see docs/errors.md#codes-of-thrown-errors
 */
export class NotAvailableError extends SidecardError {
  override readonly name = 'NotAvailableError'
  readonly parameter: FetchDataParameter

  constructor(parameter: FetchDataParameter) {
    super('not_available', `The request has no ${parameter}.`)
    this.parameter = parameter
  }

  /** What the agent sees. */
  toCard(title = 'Not available for this issue'): Card {
    return card({
      header: { title },
      components: [
        text({
          label: 'Why',
          value: `This issue has no ${WORDS[this.parameter]}, so there is nothing to show here.`,
        }),
      ],
    })
  }
}
