import { constantTimeEqual } from '../../internal/constant-time-equal.ts'
import { toCanonicalText } from '../run/canonical-text.ts'
import type { Form } from '../fields/fields.ts'
import type { FormInput } from './form-body.ts'
import type { PageView } from './page-view.ts'
import { type Ledger, nameSeen } from '../run/phase.ts'
import { targetOf } from './receipt-page.ts'
import { summarize } from '../run/summarize.ts'
import { sign } from '../links/token.ts'
import type { Visit } from '../run/visit.ts'

/** Returns whether the agent reads the values of a form back before the action runs. */
export function hasReview({ definition }: Visit, form: Form): boolean {
  const { review, options } = definition
  const hasNumbers = Object.values(form).some(({ view }) => view.control === 'decimal')
  return review ?? (options.summary !== undefined && hasNumbers)
}

/**
 * Shows what will happen with the values of a form. Returns `undefined` if the agent has
 * confirmed exactly this, or if the action has no review.
 *
 * @throws {unknown} what the option `summary` throws
 */
export async function showReview(
  visit: Visit,
  ledger: Ledger,
  form: Form,
  { entered, values }: FormInput,
  body: URLSearchParams,
): Promise<PageView | undefined> {
  if (!hasReview(visit, form)) return undefined
  const { definition, page, actions, keys, link, agent } = visit
  const sentence = summarize(visit, values)
  const target = await targetOf(visit, nameSeen(ledger))
  const about = [link.id, agent?.id ?? null, target.seen, sentence, toCanonicalText(values)]
  const reviewToken = await sign(keys.review, ...about)
  const sent = body.get('review')
  if (sent !== null && constantTimeEqual(sent, reviewToken)) return undefined
  const rows = Object.entries(form).flatMap(([name, { view, format }]) => {
    const text = values[name] === undefined ? '' : format(values[name], actions.messages)
    return text === '' ? [] : [[view.label, text] as const]
  })
  return page('review', {
    heading: definition.label,
    sentence,
    review: { ...target, reviewToken, entered, rows },
    ...(sent !== null && { text: actions.messages.reviewChanged }),
  })
}
