import { effect } from '@preact/signals'
import type { WorkspaceEvent } from '../../emulator/protocol/workspace.ts'
import { listen } from '../core/events.ts'
import { notify } from '../core/notify.ts'
import { route } from '../core/route.ts'
import { addConsoleEntries, consoleEntries, loadConsole } from '../state/console.ts'
import { addExchange, forgetExchanges, loadExchanges } from '../state/exchanges.ts'
import { issueId, loadIssue } from '../state/issue.ts'
import { NORMAL, requestAs, requestKey, setRequestAs } from '../state/request-as.ts'
import { createGroup, loadWidget, loadWidgets, widgets } from '../state/widgets.ts'
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

function onEvent(event: WorkspaceEvent): void {
  switch (event.type) {
    case 'state':
      void refreshWorkspace()
      return
    case 'reset':
      refetchAll()
      return
    case 'issue':
      void refreshWorkspace()
      if (event.issueId === issueId.peek()) loadIssue()
      return
    case 'tasks':
      refreshTasks()
      return
    case 'exchange':
      addExchange(event.exchange)
      return
    case 'exchanges_cleared':
      forgetExchanges()
      return
    case 'console':
      addConsoleEntries(event.entries)
      return
    case 'console_cleared':
      consoleEntries.value = []
      return
    case 'request_as':
      setRequestAs({ ...NORMAL, subject: event.subject })
      return
    case 'checked':
      return
    case 'source_changed':
      if (event.note !== undefined) notify(event.note)
      void loadWidgets(event.group)
      if (route.peek().view === 'states') runStates()
  }
}
