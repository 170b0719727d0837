import { navigate } from '../core/route.ts'
import { findApp } from '../core/workspace.ts'
import { issueId } from '../state/issue.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { routeHash } from '../state/request-as.ts'
import { AppForm } from './app-form.tsx'
import style from '../parts/forms/dialog.module.css'

/** The dialog that connects or edits an app. */
export function AppDialog({ appId }: { readonly appId: string | null }) {
  const app = findApp(appId)
  const close = () => navigate(routeHash('issues', issueId.peek()))
  if (appId === null || app !== undefined) {
    return <AppForm key={appId ?? 'new'} app={app} onClose={close} />
  }
  return (
    <Dialog title="App not found" size="small" onClose={close}>
      <div class={style.body}>
        <p>It was deleted, or the emulator was reset.</p>
      </div>
    </Dialog>
  )
}
