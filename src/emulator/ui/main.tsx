import { render } from 'preact'
import { trackReadiness } from './state/ready.ts'
import { listenForShortcuts } from './state/shortcuts.ts'
import { startSync } from './state/sync.ts'
import { trackTitle } from './state/title.ts'
import { WorkspaceApp } from './workspace-app.tsx'

const root = document.getElementById('app')
if (root !== null) render(<WorkspaceApp />, root)
trackTitle()
trackReadiness()
startSync()
listenForShortcuts()
