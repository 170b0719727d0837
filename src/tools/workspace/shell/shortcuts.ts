import { signal } from '@preact/signals'
import { issueId, shownIssues } from '../state/issue.ts'
import { routeHash } from '../state/request-as.ts'
import { navigate, route } from '../core/route.ts'
import { loadWidgets } from '../state/widgets.ts'

/** A key and its command. */
export interface Shortcut {
  /** The keys; two letters are pressed in sequence. */
  readonly keys: string
  readonly description: string
  readonly run: () => void
}

/** The open dialog of the shell; null if there is none. */
export const openDialog = signal<'commands' | 'shortcuts' | 'agent' | null>(null)

/** The shortcuts, in the order of the list. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'j', description: 'Next issue', run: () => step(1) },
  { keys: 'k', description: 'Previous issue', run: () => step(-1) },
  { keys: 'r', description: 'Reload widgets', run: () => void loadWidgets() },
  { keys: 's', description: 'Jump to the sidebar', run: () => focus('#sidebar') },
  { keys: 'e', description: 'Choose a customer or a state', run: () => focus('#request-as') },
  { keys: '/', description: 'Search issues', run: () => focus('#issue-search') },
  { keys: 'Ctrl K', description: 'Commands', run: () => toggle('commands') },
  { keys: '?', description: 'Show shortcuts', run: () => toggle('shortcuts') },
]

let first = ''

/** Listens for shortcuts. Keys in a field, and keys with a modifier, are not shortcuts. */
export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      if (isModal() && openDialog.peek() !== 'commands') return
      event.preventDefault()
      toggle('commands')
      return
    }
    // A focused field would receive the keys of the next shortcut.
    if (
      event.key === 'Escape' &&
      !event.defaultPrevented &&
      !isModal() &&
      document.activeElement instanceof HTMLElement &&
      // A menu closes, and returns the focus to its button.
      !document.activeElement.matches('[role=menuitem]')
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

/**
 * Returns whether a key is pressed in a field. In a shadow root, the target of the
 * event is the host, so the path is searched.
 */
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

function step(by: number): void {
  const issues = shownIssues.peek()
  const at = issues.findIndex(({ id }) => id === issueId.peek())
  const next = issues[Math.max(0, Math.min(issues.length - 1, at + by))]
  const { view } = route.peek()
  const target = view === 'sidebar' || view === 'states' ? view : 'issues'
  if (next !== undefined) navigate(routeHash(target, next.id))
}

function toggle(dialog: typeof openDialog.value): void {
  openDialog.value = openDialog.peek() === dialog ? null : dialog
}

function focus(selector: string): void {
  if (route.peek().view !== 'issues') navigate(routeHash('issues', issueId.peek()))
  // The view is rendered in a microtask, and needs the focus before the next key press.
  queueMicrotask(() => {
    const target = document.querySelector<HTMLElement>(selector)
    target?.focus()
    target?.scrollIntoView({ block: 'nearest' })
  })
}
