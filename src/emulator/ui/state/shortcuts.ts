import { signal } from '@preact/signals'
import { announce } from './announce.ts'
import { issueId, shownIssues } from './issue.ts'
import { showsTruncation } from './preferences.ts'
import { go, hashOf, route } from './route.ts'
import { loadWidgets } from './widgets.ts'

/** A key and what it does. */
export interface Shortcut {
  readonly keys: string
  readonly does: string
  readonly run: () => void
}

/** Whether the list of shortcuts is open. */
export const showsShortcuts = signal(false)

/** Every shortcut, in the order of the list. Two letters are pressed one after the other. */
export const SHORTCUTS: readonly Shortcut[] = [
  { keys: 'j', does: 'Next issue', run: () => step(1) },
  { keys: 'k', does: 'Previous issue', run: () => step(-1) },
  { keys: 'r', does: 'Reload the widgets', run: reload },
  { keys: '/', does: 'Search issues', run: () => focus('#issue-search') },
  { keys: 't', does: 'Show truncation', run: toggleTruncation },
  { keys: 'n', does: 'Connect an app', run: () => go(hashOf('apps', 'new')) },
  { keys: 'g i', does: 'Go to issues', run: () => go('#/issues') },
  { keys: 'g n', does: 'Go to the inspector', run: () => go('#/inspector') },
  { keys: 'g p', does: 'Go to the playground', run: () => go('#/playground') },
  { keys: 'g c', does: 'Go to the checks', run: () => go('#/checks') },
  { keys: 'g f', does: 'Go to the faults', run: () => go('#/faults') },
  { keys: 'g a', does: 'Go to the API', run: () => go('#/api') },
  { keys: '?', does: 'This list', run: toggleList },
]

let first = ''

/** Listens for shortcuts; what is typed into a field, or with a modifier, is none. */
export function listenForShortcuts(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [role=menu]') !== null
  )
}

function isModal(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function step(by: number): void {
  const issues = shownIssues.peek()
  const at = issues.findIndex(({ id }) => id === issueId.peek())
  const next = issues[Math.max(0, Math.min(issues.length - 1, at + by))]
  if (next !== undefined) go(hashOf('issues', next.id))
}

function reload(): void {
  announce('Reloading the widgets')
  void loadWidgets()
}

function toggleTruncation(): void {
  showsTruncation.value = !showsTruncation.peek()
}

function toggleList(): void {
  showsShortcuts.value = !showsShortcuts.peek()
}

function focus(selector: string): void {
  if (route.peek().view !== 'issues') go('#/issues')
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>(selector)?.focus()
  })
}
