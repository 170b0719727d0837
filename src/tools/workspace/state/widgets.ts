import { computed, signal } from '@preact/signals'
import type { ExchangeGroup } from '../../emulator/protocol/exchanges.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { control, errorMessage } from '../core/control.ts'
import { issueId, isUnknownIssue } from './issue.ts'
import { requestAs, requestKey, toOptions } from './request-as.ts'
import { apps } from '../core/workspace.ts'

/** The state of a widget on the open issue. */
export interface WidgetLoad {
  readonly issueId: string
  /** Identifies the customer, the IDs and the conditions of the request. */
  readonly requestKey: string
  /** The start of the pending request (`performance.now()`); null if none is pending. */
  readonly startedAt: number | null
  /** The newest response, even while the next one is pending. */
  readonly view: WidgetView | null
  /** The reason why the emulator could not be called. The view stays unchanged. */
  readonly error: string | null
}

/** The widgets of the open issue, by ID. */
export const widgets = signal<ReadonlyMap<string, WidgetLoad>>(new Map())

/** A widget of the sidebar. */
export interface ShownWidget {
  readonly app: AppView
  readonly id: string
  readonly name: string
  /** Its newest request; undefined if it belongs to another issue or to other IDs. */
  readonly load: WidgetLoad | undefined
  /** The response; null until it arrives, and if the app is not connected. */
  readonly view: WidgetView | null
}

/** The widgets of all apps, in the order of the sidebar. */
export const shownWidgets = computed<readonly ShownWidget[]>(() => {
  const key = requestKey(requestAs.value)
  return apps.value.flatMap((app) =>
    app.widgets.map(({ id, name }) => {
      const newest = widgets.value.get(id)
      const isCurrent = newest?.issueId === issueId.value && newest.requestKey === key
      const load = isCurrent ? newest : undefined
      return { app, id, name, load, view: (app.state === 'connected' && load?.view) || null }
    }),
  )
})

/** Loads all widgets of the connected apps in parallel, as opening an issue does. */
export async function loadWidgets(group = createGroup('open')): Promise<void> {
  const connected = shownWidgets.peek().filter(({ app }) => app.state === 'connected')
  await Promise.all(connected.map(({ id }) => loadWidget(id, group)))
}

/** Loads one widget. The response of an earlier request never replaces that of a later one. */
export async function loadWidget(widgetId: string, group = createGroup('open')): Promise<void> {
  const issue = issueId.peek()
  if (issue === null || isUnknownIssue.peek()) return
  const request = requestAs.peek()
  const key = requestKey(request)
  const before = widgets.peek().get(widgetId)
  const isSame = before?.issueId === issue && before.requestKey === key
  const load: WidgetLoad = {
    issueId: issue,
    requestKey: key,
    startedAt: performance.now(),
    // The old content stays visible until the new response arrives, so that switching does not
    // flicker.
    view: before?.issueId === issue ? before.view : null,
    error: null,
  }
  put(widgetId, load)
  const isNewest = () => widgets.peek().get(widgetId) === load
  try {
    const place = { issueId: issue, widgetId }
    const options = { ...toOptions(request), group }
    const view = await control('POST issues/:issueId/widgets/:widgetId/load', place, options)
    if (isNewest()) put(widgetId, { ...load, startedAt: null, view })
  } catch (error) {
    if (!isNewest()) return
    const view = isSame ? before.view : null
    put(widgetId, { ...load, startedAt: null, view, error: errorMessage(error) })
  }
}

/** Creates a group for requests that belong together. */
export function createGroup(kind: ExchangeGroup['kind']): ExchangeGroup {
  const random = crypto.getRandomValues(new Uint32Array(2))
  return { id: [...random].map((part) => part.toString(36)).join(''), kind }
}

function put(widgetId: string, load: WidgetLoad): void {
  widgets.value = new Map(widgets.peek()).set(widgetId, load)
}
