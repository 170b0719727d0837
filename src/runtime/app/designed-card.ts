import { card } from '../builders/components/card.ts'
import type { CardItem } from '../builders/components/children.ts'
import { text } from '../builders/components/text.ts'
import type { FetchDataParameter } from '../contract/parameters.ts'
import type { Card } from '../contract/generated/types.ts'
import { SidecardError } from '../internal/errors.ts'
import { type Messages, withMessages } from './messages.ts'

/**
 * The reason for a designed card instead of customer data: no customer matches,
 * several do, or the issue lacks an ID.
 */
export type DesignedOutcome = 'not_found' | 'ambiguous' | 'not_available'

/** The content of a designed card. */
export interface DesignedCard {
  /** The title of the card, unless it replaces a section, whose own title is used. */
  readonly title: string
  readonly components: readonly CardItem[]
}

/**
 * An error that ends `fetchData` or a section with a card for the agent. It is not a failure.
 * Do not catch it.
 *
 * @see docs/errors.md#error-codes
 */
export class DesignedCardError extends SidecardError {
  override readonly name: string = 'DesignedCardError'
  // Private, so that a subclass cannot change the response.
  readonly #outcome: DesignedOutcome
  readonly #create: (messages: Messages) => DesignedCard

  constructor(
    outcome: DesignedOutcome,
    message: string,
    create: (messages: Messages) => DesignedCard,
  ) {
    super(outcome, message)
    this.#outcome = outcome
    this.#create = create
  }

  /**
   * Returns the outcome of an error and the card that the agent sees. A text of
   * `messages` that is not a string falls back to English.
   *
   * @param section the title of the section that the card replaces
   */
  static show(error: DesignedCardError, messages: Messages, section?: string) {
    const create = (texts: Messages): Card => {
      const { title, components } = error.#create(texts)
      return card({ header: { title: section ?? title }, components })
    }
    return { outcome: error.#outcome, card: withMessages(messages, create) }
  }
}

/**
 * The error of `ctx.require(name)` if the issue lacks that ID. The agent sees a
 * card with the reason.
 *
 * @see docs/errors.md#error-codes
 */
export class NotAvailableError extends DesignedCardError {
  override readonly name: string = 'NotAvailableError'
  readonly parameter: FetchDataParameter

  constructor(parameter: FetchDataParameter) {
    super('not_available', `The request has no ${parameter}.`, (messages) => ({
      title: messages.notAvailable,
      components: [
        text({ label: messages.reason, value: messages.missingId(messages.ids[parameter]) }),
      ],
    }))
    this.parameter = parameter
  }
}
