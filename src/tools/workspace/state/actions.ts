import { signal } from '@preact/signals'
import { control } from '../core/control.ts'
import { loadWidgets } from './widgets.ts'

/** An action whose page the developer opened from a widget. */
interface OpenedAction {
  readonly widgetId: string
  readonly label: string
  readonly url: string
}

/** An action, and the state of its page when the developer returned. */
interface FollowedAction extends OpenedAction {
  readonly outcome: string | null
}

/** The last followed action, by widget. */
export const followedActions = signal<ReadonlyMap<string, FollowedAction>>(new Map())

/** The actions whose page may still be open. */
const opened = new Map<string, OpenedAction>()

/**
 * When the developer returns from an action's page, reads the outcome, and loads
 * the widgets, because the action may have changed their data.
 */
export function followAction(action: OpenedAction): void {
  opened.set(action.widgetId, action)
  // Adding the same listener again has no effect.
  window.addEventListener('focus', onReturn)
}

function onReturn(): void {
  for (const action of opened.values()) void followUp(action)
}

async function followUp(action: OpenedAction): Promise<void> {
  const { widgetId, url } = action
  const before = followedActions.peek().get(widgetId)
  const isFirstReturn = before?.url !== url
  if (isFirstReturn) void loadWidgets()
  const { outcome } = await control('POST actions/state', { url }).catch(() => ({ outcome: null }))
  if (opened.get(widgetId) !== action) return
  const canStillRun = outcome === 'shown' || outcome === 'in_progress'
  if (!canStillRun) opened.delete(widgetId)
  if (!isFirstReturn && outcome !== before.outcome) void loadWidgets()
  followedActions.value = new Map(followedActions.peek()).set(widgetId, { ...action, outcome })
}
