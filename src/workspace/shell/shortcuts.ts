import { signal } from '@preact/signals'
import { issueId, shownIssues } from '../issues/issue.ts'
import { showsTruncation } from '../core/preferences.ts'
import { NORMAL, routeHash, setRequestAs } from '../sidebar/request-as.ts'
import { navigate, route } from '../core/route.ts'
import type { View } from '../core/route.ts'
import { loadWidgets } from '../sidebar/widgets.ts'

/** A key and its command. */
export interface Shortcut {
  /** Two letters are pressed in sequence. */
  readonly keys: string
  readonly description: string
  readonly run: () => void
}

/** Whether the list of shortcuts is open. */
export const showsShortcuts = signal(false)

/** Whether the command palette is open. */
export const showsPalette = signal(false)

/** The shortcuts, in the order of the list. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'j', description: 'Next issue', run: () => step(1) },
  { keys: 'k', description: 'Previous issue', run: () => step(-1) },
  { keys: 'r', description: 'Reload widgets', run: () => void loadWidgets() },
  { keys: 's', description: 'Jump to the sidebar', run: () => focus('#sidebar') },
  { keys: 'e', description: 'Choose a scenario or preset', run: () => focus('#request-as') },
  { keys: '0', description: 'Back to the issue’s own IDs', run: () => setRequestAs(NORMAL) },
  { keys: '/', description: 'Search issues', run: () => focus('#issue-search') },
  { keys: 't', description: 'Show truncation', run: toggleTruncation },
  { keys: 'n', description: 'Connect an app', run: () => navigate(routeHash('apps', 'new')) },
  { keys: 'g i', description: 'Go to Issues', run: () => go('issues') },
  { keys: 'g o', description: 'Go to Sidebar only', run: () => openIssueIn('sidebar') },
  { keys: 'g s', description: 'Go to All states', run: () => openIssueIn('states') },
  { keys: 'g n', description: 'Go to Inspector', run: () => go('inspector') },
  { keys: 'g l', description: 'Go to Console', run: () => go('console') },
  { keys: 'g p', description: 'Go to Playground', run: () => go('playground') },
  { keys: 'g c', description: 'Go to Checks', run: () => go('checks') },
  { keys: 'g f', description: 'Go to Faults', run: () => go('faults') },
  { keys: 'g a', description: 'Go to API', run: () => go('api') },
  { keys: 'Ctrl K', description: 'Commands', run: () => toggle(showsPalette) },
  { keys: '?', description: 'Show shortcuts', run: () => toggle(showsShortcuts) },
]

let first = ''

/** Listens for shortcuts. Keys in a field, and keys with a modifier, are not shortcuts. */
export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      if (isModal() && !showsPalette.peek()) return
      event.preventDefault()
      toggle(showsPalette)
      return
    }
    // A focused field would take the next shortcut.
    if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      !isModal() &&
      document.activeElement instanceof HTMLElement
    ) {
      document.activeElement.blur()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    const keys = first === '' ? event.key : `${first} ${event.key}`
    first = ''
    const shortcut = SHORTCUTS.find((known) => known.keys === keys)
    if (shortcut !== undefined && (!isModal() || shortcut.keys === '?')) {
      event.preventDefault()
      shortcut.run()
    } else if (SHORTCUTS.some((known) => known.keys.startsWith(`${keys} `))) {
      first = keys
    }
  })
}

/** The target of an event in a shadow root is its host, so the path is searched. */
function isTyping(event: KeyboardEvent): boolean {
  return event
    .composedPath()
    .some(
      (target) =>
        target instanceof Element &&
        target.matches('input, textarea, select, [contenteditable=true], [role=menu]'),
    )
}

function isModal(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function go(view: View): void {
  navigate(routeHash(view))
}

function openIssueIn(view: View): void {
  navigate(routeHash(view, issueId.peek()))
}

function step(by: number): void {
  const issues = shownIssues.peek()
  const at = issues.findIndex(({ id }) => id === issueId.peek())
  const next = issues[Math.max(0, Math.min(issues.length - 1, at + by))]
  const { view } = route.peek()
  const target = view === 'sidebar' || view === 'states' ? view : 'issues'
  if (next !== undefined) navigate(routeHash(target, next.id))
}

function toggleTruncation(): void {
  showsTruncation.value = !showsTruncation.peek()
}

function toggle(isShown: typeof showsPalette): void {
  isShown.value = !isShown.peek()
}

function focus(selector: string): void {
  if (route.peek().view !== 'issues') navigate(routeHash('issues', issueId.peek()))
  // The view is rendered in a microtask. The next key must find the focus there.
  queueMicrotask(() => {
    const target = document.querySelector<HTMLElement>(selector)
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  })
}
