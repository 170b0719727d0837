import { effect } from '@preact/signals'
import { exchanges } from '../inspector/exchanges.ts'
import { openIssue } from '../issues/issue.ts'
import { route } from '../core/route.ts'
import type { View } from '../core/route.ts'
import { findApp } from '../core/workspace.ts'

const NAMES = {
  issues: 'Issues',
  sidebar: 'Sidebar',
  states: 'All states',
  apps: 'App',
  inspector: 'Inspector',
  console: 'Console',
  playground: 'Playground',
  checks: 'Checks',
  faults: 'Faults',
  api: 'API',
} satisfies Record<View, string>

/**
 * Updates the title of the browser tab. It starts with the open item, so that
 * narrow tabs can be distinguished.
 */
export function trackTitle(): void {
  effect(() => {
    const { view } = route.value
    const subject = findSubject()
    document.title = [subject, NAMES[view], 'Sidecard'].filter(Boolean).join(' · ')
  })
}

function findSubject(): string {
  const { view, id } = route.value
  switch (view) {
    case 'issues':
    case 'sidebar':
    case 'states': {
      const issue = openIssue.value
      return issue === null ? '' : `#${issue.number} ${issue.title}`
    }
    case 'apps':
      return id === 'new' ? 'Connect an app' : (findApp(id)?.name ?? '')
    case 'checks':
      return findApp(id)?.name ?? ''
    case 'inspector': {
      const exchange = exchanges.value?.find((each) => each.id === id)
      return exchange === undefined ? '' : `${exchange.kind} to ${exchange.appName}`
    }
    case 'console':
    case 'playground':
    case 'faults':
    case 'api':
      break
  }
  return ''
}
