import { effect } from '@preact/signals'
import type { WorkspaceEvent } from '../../emulator/protocol/workspace.ts'
import { listen } from '../core/events.ts'
import { notify } from '../core/notify.ts'
import { route } from '../core/route.ts'
import { set } from '../core/set.ts'
import { addConsoleEntries, consoleEntries, loadConsole } from '../state/console.ts'
import { addExchange, forgetExchanges, loadExchanges } from '../state/exchanges.ts'
import { addException } from '../state/diagnostics.ts'
import { issueId, loadIssue } from '../state/issue.ts'
import { NORMAL, requestAs, requestKey, setRequestAs } from '../state/request-as.ts'
import { createGroup, loadWidget, loadWidgets, widgets } from '../state/widgets.ts'
import { setSaves } from '../state/saves.ts'
import { runStates } from '../state/states.ts'
import { refreshTasks } from '../state/tasks.ts'
import { apps, refreshWorkspace } from '../core/workspace.ts'

/** Keeps the page in sync with the emulator. */
export function startSync(): void {
  effect(() => {
    if (issueId.value !== null) loadIssue()
  })
  autoLoadWidgets()
  void refreshWorkspace()
  void listen(onEvent, () => {
    refetchAll()
    reloadUnreached()
  })
}

/** Fetches all state again. */
function refetchAll(): void {
  void refreshWorkspace()
  void loadExchanges()
  void loadConsole()
  refreshTasks()
  loadIssue()
}

/** Loads the widgets again whose last request did not reach the emulator. */
function reloadUnreached(): void {
  for (const [id, { error }] of widgets.peek()) if (error !== null) void loadWidget(id)
}

/** Loads a widget when the issue, the chosen IDs or the connection of its app changes. */
function autoLoadWidgets(): void {
  const loadedFor = new Map<string, string>()
  effect(() => {
    const issue = issueId.value
    const request = requestKey(requestAs.value)
    const group = createGroup('open')
    for (const { id, state, lastHandshake, widgets: ofApp } of apps.value) {
      for (const widget of ofApp) {
        const key = [issue, request, id, state, lastHandshake?.exchangeId].join('\n')
        if (loadedFor.get(widget.id) === key) continue
        loadedFor.set(widget.id, key)
        if (issue !== null && state === 'connected') void loadWidget(widget.id, group)
      }
    }
  })
}

type Handlers = {
  readonly [Type in WorkspaceEvent['type']]: (
    event: Extract<WorkspaceEvent, { readonly type: Type }>,
  ) => void
}

const HANDLERS: Handlers = {
  state: () => void refreshWorkspace(),
  reset: refetchAll,
  issue(event) {
    void refreshWorkspace()
    if (event.issueId === issueId.peek()) loadIssue()
  },
  tasks: refreshTasks,
  exchange: ({ exchange }) => addExchange(exchange),
  exception: ({ exchangeId, ...exception }) => addException(exchangeId, exception),
  exchanges_cleared: forgetExchanges,
  console: ({ entries }) => addConsoleEntries(entries),
  console_cleared: set(consoleEntries, []),
  request_as: ({ subject }) => setRequestAs({ ...NORMAL, subject }),
  saves: ({ saves }) => setSaves(saves),
  // The page that started a check shows its report.
  checked: () => undefined,
  source_changed({ note, group }) {
    if (note !== undefined) notify(note)
    void loadWidgets(group)
    if (route.peek().view === 'states') runStates()
  },
}

function onEvent(event: WorkspaceEvent): void {
  // The compiler does not relate the event to its own handler.
  const handle = HANDLERS[event.type] as (event: WorkspaceEvent) => void
  handle(event)
}
