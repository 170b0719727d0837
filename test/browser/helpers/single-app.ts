import { endpoint, createPayload } from './endpoints.ts'
import { openWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

/** A workspace with one app, whose payload a test can change. */
export interface SingleApp {
  readonly workspace: Workspace
  /** Changes the payload of the endpoint, and reloads the sidebar. */
  show(payload: unknown): Promise<void>
}

/** Opens a workspace with one app. */
export async function openSingleApp(): Promise<SingleApp> {
  let current: unknown = createPayload()
  const workspace = await openWorkspace({
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    prepare: ({ apps }) => apps.create({ name: 'App', target: endpoint(() => current) }),
  })
  // Otherwise, the first response could be mistaken for the one of a reload.
  await workspace.page.locator('html[data-ready=true]').waitFor()
  return {
    workspace,
    async show(payload) {
      current = payload
      const { page } = workspace
      const loaded = page.waitForResponse((response) => response.url().endsWith('/load'))
      await page.keyboard.press('r')
      await loaded
      await page.locator('.widget_widget[aria-busy=false]').waitFor()
    },
  }
}
