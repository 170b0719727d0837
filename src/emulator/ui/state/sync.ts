import { effect } from '@preact/signals'
import type { WorkspaceEvent } from '../../protocol.ts'
import { listen } from './events.ts'
import { addExchange, loadExchanges } from './exchanges.ts'
import { issueId, loadIssue } from './issue.ts'
import { scenario } from './preferences.ts'
import { loadWidget, loadWidgets } from './widgets.ts'
import { apps, refreshWorkspace } from './workspace.ts'

/** Keeps the page in step with the emulator for as long as it lives. */
export function startSync(): void {
  effect(() => {
    const id = issueId.value
    if (id !== null) void loadIssue(id)
  })
  loadWhatIsNew()
  void refreshWorkspace()
  void listen(onEvent, catchUp)
}

/** Asks for everything anew. */
function catchUp(): void {
  void refreshWorkspace()
  void loadExchanges()
  const id = issueId.peek()
  if (id !== null) void loadIssue(id)
}

/** A widget is loaded when its issue, the scenario or its app's handshake is another one. */
function loadWhatIsNew(): void {
  const loadedFor = new Map<string, string>()
  effect(() => {
    const issue = issueId.value
    const chosen = scenario.value
    for (const { id, state, lastHandshake, widgets } of apps.value) {
      for (const widget of widgets) {
        const key = [issue, chosen, id, state, lastHandshake?.exchangeId].join('\n')
        if (loadedFor.get(widget.id) === key) continue
        loadedFor.set(widget.id, key)
        if (issue !== null && state === 'connected') void loadWidget(widget.id)
      }
    }
  })
}

function onEvent(event: WorkspaceEvent): void {
  switch (event.type) {
    case 'state':
      void refreshWorkspace()
      return
    case 'replaced':
      catchUp()
      return
    case 'issue':
      void refreshWorkspace()
      if (event.issueId === issueId.peek()) void loadIssue(event.issueId)
      return
    case 'exchange':
      addExchange(event.exchange)
      return
    case 'source_changed':
      void loadWidgets()
  }
}
