import { effect } from '@preact/signals'
import { issueId, isUnknownIssue } from '../state/issue.ts'
import { shownWidgets } from '../state/widgets.ts'
import { apps, workspace } from '../core/workspace.ts'

/**
 * Sets `data-ready="true"` on `<html>` while every widget shows the result of its
 * newest request. Automation that takes screenshots or reads outcomes waits for
 * it.
 */
export function trackReadiness(): void {
  effect(() => {
    document.documentElement.dataset['ready'] = String(isReady())
  })
}

function isReady(): boolean {
  // While the command starts, its app may not exist yet.
  if (workspace.value === null || workspace.value.devServer?.state === 'starting') return false
  if (apps.value.some(({ handshaking }) => handshaking)) return false
  if (issueId.value === null || isUnknownIssue.value) return true
  return shownWidgets.value.every(
    ({ app, load }) => app.state !== 'connected' || load?.startedAt === null,
  )
}
