import { signal } from '@preact/signals'
import type { AppView, WidgetView } from '../../protocol.ts'
import { control, reasonOf } from './control.ts'
import { issueId } from './issue.ts'
import { scenario } from './preferences.ts'
import { apps } from './workspace.ts'

/** What is known of one widget on the open issue. */
export interface WidgetLoad {
  readonly issueId: string
  readonly isLoading: boolean
  /** The newest answer; kept while the next one is on its way. */
  readonly view: WidgetView | null
  /** Why the emulator itself could not be asked. */
  readonly error: string | null
}

/** The widgets of the open issue, by their ids. */
export const widgets = signal<ReadonlyMap<string, WidgetLoad>>(new Map())

let generation = 0

/** Loads every widget of the connected apps side by side, as opening an issue does. */
export async function loadWidgets(): Promise<void> {
  await Promise.all(apps.peek().map(loadApp))
}

/** Loads the widgets of one app. */
export async function loadApp(app: AppView): Promise<void> {
  if (app.state !== 'connected') return
  await Promise.all(app.widgets.map(({ id }) => loadWidget(id)))
}

/** Loads one widget. A late answer never replaces that of a later request. */
export async function loadWidget(widgetId: string): Promise<void> {
  const issue = issueId.peek()
  if (issue === null) return
  generation += 1
  const mine = generation
  newest.set(widgetId, mine)
  const before = widgets.peek().get(widgetId)
  const view = before?.issueId === issue ? before.view : null
  put(widgetId, { issueId: issue, isLoading: true, view, error: null })
  const path = `issues/${encodeURIComponent(issue)}/widgets/${encodeURIComponent(widgetId)}/load`
  try {
    const loaded = await control<WidgetView>('POST', path, { scenario: scenario.peek() })
    if (newest.get(widgetId) !== mine) return
    put(widgetId, { issueId: issue, isLoading: false, view: loaded, error: null })
  } catch (error) {
    if (newest.get(widgetId) !== mine) return
    put(widgetId, { issueId: issue, isLoading: false, view, error: reasonOf(error) })
  }
}

const newest = new Map<string, number>()

function put(widgetId: string, load: WidgetLoad): void {
  widgets.value = new Map(widgets.peek()).set(widgetId, load)
}
