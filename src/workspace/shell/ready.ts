import { effect } from '@preact/signals'
import { issueId, isUnknownIssue } from '../state/issue.ts'
import { requestAs, requestKey } from '../state/request-as.ts'
import { widgets } from '../state/widgets.ts'
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
  const issue = issueId.value
  const key = requestKey(requestAs.value)
  return apps.value.every(({ state, handshaking, widgets: ofApp }) => {
    if (handshaking) return false
    if (state !== 'connected' || issue === null || isUnknownIssue.value) return true
    return ofApp.every(({ id }) => {
      const load = widgets.value.get(id)
      return load?.issueId === issue && load.requestKey === key && load.startedAt === null
    })
  })
}
