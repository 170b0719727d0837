import { effect } from '@preact/signals'
import { exchanges } from '../state/exchanges.ts'
import { openIssue } from '../state/issue.ts'
import { route, VIEWS } from '../core/route.ts'
import { findApp } from '../core/workspace.ts'

/**
 * Updates the title of the browser tab. The title starts with the open item, so
 * that narrow tabs can be distinguished.
 */
export function trackTitle(): void {
  effect(() => {
    const { view } = route.value
    const subject = findSubject()
    document.title = [subject, VIEWS[view], 'Sidecard'].filter(Boolean).join(' · ')
  })
}

function findSubject(): string {
  const { view, id } = route.value
  if (view === 'issues' || view === 'sidebar' || view === 'states') {
    const issue = openIssue.value
    return issue === null ? '' : `#${issue.number} ${issue.title}`
  }
  if (view === 'inspector') {
    const exchange = exchanges.value?.find((each) => each.id === id)
    return exchange === undefined ? '' : `${exchange.kind} to ${exchange.appName}`
  }
  if (view === 'apps' && id === 'new') return 'Connect an app'
  return view === 'apps' ? (findApp(id)?.name ?? '') : ''
}
