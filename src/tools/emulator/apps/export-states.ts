import type { Payload } from '../../../runtime/contract/generated/types.ts'
import { renderStatesPage } from '../../../runtime/render/states-page.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import { toShape } from '../../service/responses/shape.ts'
import type { StatesRun } from '../protocol/widgets.ts'
import { ACTION_PAGES } from '../protocol/workspace.ts'
import type { ActionPages } from './action-pages.ts'

/**
 * Returns a run over all states as one HTML page. Without `anonymize`, it contains
 * what agents see. With it, it only contains the shape, without names of customers
 * and pages of actions.
 */
export async function exportStates(
  { states }: StatesRun,
  anonymize: boolean,
  pages: ActionPages,
): Promise<string> {
  const all = states.flatMap(({ widgets }) => widgets)
  const customers = [...new Set(all.flatMap(({ customer }) => customer ?? []))].toSorted(
    (left, right) => right.length - left.length,
  )
  const hide = (text: string) =>
    customers.reduce((rest, name, at) => rest.replaceAll(name, `Customer ${at + 1}`), text)
  const shown = states.flatMap(({ name, widgets, actions }) => [
    ...widgets.map(({ outcome, failures, payload, parameters, customer, widgetId }) => {
      const isIntended = isAsIntended({ outcome, failures })
      const view = { outcome: isIntended ? 'as intended' : outcome.replaceAll('_', ' '), payload }
      if (!anonymize) return { ...view, name }
      const others = all
        .filter((each) => each.widgetId === widgetId && each.customer !== customer)
        .flatMap((each) => each.payload ?? [])
      const own = { params: Object.fromEntries(parameters), body: payload }
      const shape = payload === null ? null : (toShape(own, { others }).body as Payload)
      return { ...view, name: hide(name), payload: shape }
    }),
    ...(anonymize ? [] : actions).map(({ label, state, path, unapplied }) => ({
      name: `${name}: ${label}`,
      outcome: unapplied ?? state,
      payload: null,
      page: pages.get(path?.slice(ACTION_PAGES.length) ?? ''),
    })),
  ])
  return renderStatesPage('All states', shown)
}
