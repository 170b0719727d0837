import type { AppChange, AppInput, AppView } from '../../protocol.ts'
import { announce } from './announce.ts'
import { control, reasonOf } from './control.ts'
import { putApp, refreshWorkspace } from './workspace.ts'

/** Creates an app; the emulator shakes hands with it at once. */
export async function createApp(input: AppInput): Promise<AppView> {
  return settle(await control<AppView>('POST', 'apps', input))
}

/** Changes an app. */
export async function changeApp(app: AppView, change: AppChange): Promise<AppView> {
  return settle(await control<AppView>('PATCH', appPath(app), change))
}

/** Shakes hands again: what the app menu calls Retry Connection. */
export async function connectApp(app: AppView): Promise<void> {
  putApp({ ...app, handshaking: true })
  await attempt(async () => {
    settle(await control<AppView>('POST', `${appPath(app)}/connect`))
  })
}

/** Disconnects an app; the handshake must be completed again afterwards. */
export async function disconnectApp(app: AppView): Promise<void> {
  await attempt(async () => {
    putApp(await control<AppView>('POST', `${appPath(app)}/disconnect`))
    announce(`${app.name} is disconnected`)
  })
}

/** Deletes an app with its widgets. */
export async function deleteApp(app: AppView): Promise<void> {
  await attempt(async () => {
    await control('DELETE', appPath(app))
    announce(`${app.name} was deleted`)
  })
}

function settle(app: AppView): AppView {
  putApp(app)
  if (app.state === 'connected') announce(`${app.name} is connected`)
  if (app.state === 'unverified') {
    announce(`${app.name} is unverified: ${failureOf(app)}`, 'bad')
  }
  return app
}

/** Why the newest handshake of an app failed; empty when it did not. */
export function failureOf({ lastHandshake }: AppView): string {
  return lastHandshake === null || lastHandshake.result.ok ? '' : lastHandshake.result.message
}

async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    announce(reasonOf(error), 'bad')
  }
  await refreshWorkspace()
}

function appPath({ id }: AppView): string {
  return `apps/${encodeURIComponent(id)}`
}
