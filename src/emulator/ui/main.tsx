import { render } from 'preact'
import { listenForShortcuts } from './state/shortcuts.ts'
import { startSync } from './state/sync.ts'
import { WorkspaceApp } from './workspace-app.tsx'

const root = document.getElementById('app')
if (root !== null) render(<WorkspaceApp />, root)
startSync()
listenForShortcuts()
