import { render } from 'preact'
import './core/styles/tokens.css'
import './core/styles/base.css'
import './core/styles/shared.css'
import { dismissOnNavigation } from './core/notify.ts'
import { applyTheme } from './core/preferences.ts'
import { listenToAddress } from './core/route.ts'
import { trackReadiness } from './shell/ready.ts'
import { listenForShortcuts } from './shell/shortcuts.ts'
import { startSync } from './shell/sync.ts'
import { trackTitle } from './shell/title.ts'
import { WorkspaceApp } from './shell/workspace-app.tsx'
// The page has a single style file, which must include the views that load later.
import './api/access.module.css'
import './playground/playground.module.css'
import './states/states.module.css'

applyTheme()
listenToAddress()
dismissOnNavigation()
const root = document.getElementById('app')
if (root !== null) render(<WorkspaceApp />, root)
trackTitle()
trackReadiness()
startSync()
listenForShortcuts()
