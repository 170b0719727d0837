import { computed, signal } from '@preact/signals'
import type { FailureView, SourceLocation } from '../../emulator/protocol/exchanges.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { AppView, DevServerView, ExceptionView } from '../../emulator/protocol/workspace.ts'
import { capitalize } from '../../internal/capitalize.ts'
import { describeOutcome } from '../core/outcome.ts'
import { workspace } from '../core/workspace.ts'
import { findHeadline } from '../core/find-headline.ts'
import { handshakeError } from './apps.ts'
import { isAwaited } from './saves.ts'
import { type ShownWidget, shownWidgets } from './widgets.ts'

const MAX_EXCEPTIONS = 100

/** The tabs of the pane. */
export const TABS = [
  { id: 'error', name: 'Error' },
  { id: 'request', name: 'Request' },
  { id: 'console', name: 'Console' },
  { id: 'check', name: 'Check' },
] as const

/** A tab of the pane. */
export type DiagnosticsTab = (typeof TABS)[number]['id']

/** An error that the dev command printed, and the message that it explains. */
export type PrintedError = Pick<DevServerView, 'message' | 'location' | 'excerpt'>

/** The one error that the workspace shows, without errors that it caused. */
export interface Problem {
  /** The error in one line, such as `TypeError: x is not a function`. */
  readonly text: string
  readonly location: SourceLocation | null
  readonly source:
    | { readonly kind: 'command'; readonly printed: PrintedError }
    | { readonly kind: 'handshake'; readonly app: AppView }
    | { readonly kind: 'widget'; readonly view: WidgetView; readonly printed?: PrintedError }
}

/** What apps printed about requests that failed, by the ID of the request. */
export const exceptions = signal<ReadonlyMap<string, ExceptionView>>(new Map())

/** Adds an exception. Those of the newest requests are kept. */
export function addException(exchangeId: string, exception: ExceptionView): void {
  const newest = [...exceptions.peek()].slice(1 - MAX_EXCEPTIONS)
  exceptions.value = new Map([...newest, [exchangeId, exception]])
}

/** The widget that the user selected; null for the first one with a problem. */
export const selectedWidgetId = signal<string | null>(null)

/** The tab that the user opened; null if it is closed, `auto` to follow the problems. */
export const chosenTab = signal<DiagnosticsTab | 'auto' | null>('auto')

/** The error of the dev command; null while it runs. It explains the errors of all widgets. */
export const commandProblem = computed<Problem | null>(() => {
  const server = workspace.value?.devServer
  if (server?.state !== 'failed') return null
  const { message, location, excerpt } = server
  // The error line is more helpful than the message that the command failed.
  const text = findHeadline(excerpt) ?? capitalize(message)
  return { text, location, source: { kind: 'command', printed: server } }
})

/** Returns the problem of a widget; null if there is none, or if the dev command explains it. */
export function problemOf({ app, view }: ShownWidget): Problem | null {
  if ((workspace.value?.devServer?.state ?? 'running') !== 'running') return null
  if (isAwaited(app.id)) return null
  if (app.state === 'unverified' && !app.handshaking) {
    const text = capitalize(handshakeError(app))
    return text === '' ? null : { text, location: null, source: { kind: 'handshake', app } }
  }
  if (view === null || describeOutcome(view).tone !== 'bad') return null
  const exception = exceptions.value.get(view.exchangeId ?? '')
  if (exception !== undefined) {
    const { location, excerpt } = exception
    const printed = { message: view.message, location, excerpt }
    const text = findHeadline(excerpt) ?? capitalize(view.message)
    return { text, location, source: { kind: 'widget', view, printed } }
  }
  const error = findError(view.failures)
  const finding = view.findings.find(({ level }) => level === 'MUST')
  // There is little room, so only the last part of the path is shown.
  const field = finding?.path?.split('.').at(-1)
  const message = finding?.message ?? view.message
  const text =
    error !== null
      ? `${error.name}: ${error.message}`
      : field === undefined
        ? capitalize(message)
        : `${field} ${message}`
  return { text, location: error?.location ?? null, source: { kind: 'widget', view } }
}

function findError(failures: readonly FailureView[]) {
  return failures.find(({ error, intended }) => error !== null && !intended)?.error ?? null
}

/** The widget of the pane: the selected one, or the first with a problem, or the first. */
export const subject = computed<ShownWidget | null>(() => {
  const all = shownWidgets.value
  const selected = all.find(({ id }) => id === selectedWidgetId.value)
  return selected ?? all.find((each) => problemOf(each) !== null) ?? all[0] ?? null
})

/** The problem of the pane. */
export const problem = computed<Problem | null>(
  () => commandProblem.value ?? (subject.value === null ? null : problemOf(subject.value)),
)

/** The open tab; null if the pane is closed. It opens by itself for an error. */
export const openTab = computed<DiagnosticsTab | null>(() => {
  if (chosenTab.value !== 'auto') return chosenTab.value
  return problem.value === null ? null : 'error'
})

/** Opens the diagnostics of a widget. */
export function diagnose(widgetId: string, tab: DiagnosticsTab): void {
  selectedWidgetId.value = widgetId
  chosenTab.value = tab
}
