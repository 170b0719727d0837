import type { AppUpdate, AppInput, AppView } from '../../emulator/protocol/workspace.ts'
import { notify } from '../core/notify.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { putApp, refreshWorkspace } from '../core/workspace.ts'

/** Creates an app. The emulator performs the handshake immediately. */
export async function createApp(input: AppInput): Promise<AppView> {
  return settle(await control('POST apps', input))
}

/** Changes an app. */
export async function changeApp(app: AppView, change: AppUpdate): Promise<AppView> {
  return settle(await control('PATCH apps/:appId', { appId: app.id }, change))
}

/** Performs another handshake (Retry Connection). */
export async function connectApp(app: AppView): Promise<void> {
  putApp({ ...app, handshaking: true })
  await attempt(async () => {
    settle(await control('POST apps/:appId/connect', { appId: app.id }))
  })
}

/** Disconnects an app. It needs another handshake afterwards. */
export async function disconnectApp(app: AppView): Promise<void> {
  await attempt(async () => {
    putApp(await control('POST apps/:appId/disconnect', { appId: app.id }))
    notify(`${app.name} disconnected`)
  })
}

/** Deletes an app with its widgets. */
export async function deleteApp(app: AppView): Promise<void> {
  await attempt(async () => {
    await control('DELETE apps/:appId', { appId: app.id })
    notify(`${app.name} deleted`)
  })
}

function settle(app: AppView): AppView {
  putApp(app)
  if (app.state === 'connected') notify(`${app.name} connected`)
  if (app.state === 'unverified') {
    notify(`${app.name} is unverified: ${handshakeError(app)}`, 'bad')
  }
  return app
}

/** Returns the reason why the newest handshake of an app failed; empty if it succeeded. */
export function handshakeError({ lastHandshake }: AppView): string {
  return lastHandshake === null || lastHandshake.result.ok ? '' : lastHandshake.result.message
}

async function attempt(action: () => Promise<void>): Promise<void> {
  await act(action)
  await refreshWorkspace()
}
