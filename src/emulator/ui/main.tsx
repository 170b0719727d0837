import { effect } from '@preact/signals'
import { render } from 'preact'
import { route } from './state/route.ts'
import { listenForShortcuts } from './state/shortcuts.ts'
import { startSync } from './state/sync.ts'
import { WorkspaceApp } from './workspace-app.tsx'

const TITLES = {
  issues: 'Issues',
  app: 'App',
  inspector: 'Inspector',
  playground: 'Playground',
  checks: 'Checks',
  faults: 'Faults',
  api: 'API',
} as const

const root = document.getElementById('app')
if (root !== null) render(<WorkspaceApp />, root)
effect(() => {
  document.title = `${TITLES[route.value.view]} · Sidecard`
})
startSync()
listenForShortcuts()
