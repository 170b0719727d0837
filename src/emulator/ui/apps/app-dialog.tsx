import { Dialog } from '../parts/dialog.tsx'
import { issueId } from '../state/issue.ts'
import { go, hashOf } from '../state/route.ts'
import { findApp } from '../state/workspace.ts'
import { AppForm } from './app-form.tsx'

/** Creates an app, or changes one, over the workspace. */
export function AppDialog({ appId }: { readonly appId: string | null }) {
  const app = findApp(appId)
  const close = () => {
    go(issueId.peek() === null ? '#/issues' : hashOf('issues', issueId.peek() ?? ''))
  }
  if (appId !== null && app === undefined) {
    return (
      <Dialog title="This app does not exist" size="small" onClose={close}>
        <div class="dialog-body">
          <p>It was deleted, or the emulator was reset.</p>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={app === undefined ? 'Connect an app' : `Edit ${app.name}`} onClose={close}>
      <AppForm key={appId ?? 'new'} app={app} onDone={close} />
    </Dialog>
  )
}
