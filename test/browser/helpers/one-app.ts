import { endpoint, payloadOf } from './answers.ts'
import { openWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

/** A workspace with one app, whose answer a test chooses. */
export interface OneApp {
  readonly workspace: Workspace
  /** Lets the endpoint answer this, and the sidebar load it. */
  show(payload: unknown): Promise<void>
}

/** Opens a workspace with one app. */
export async function openOneApp(): Promise<OneApp> {
  let answer: unknown = payloadOf()
  const workspace = await openWorkspace({
    prepare: ({ apps }) => apps.create({ name: 'App', target: endpoint(() => answer) }),
  })
  return {
    workspace,
    async show(payload) {
      answer = payload
      const { page } = workspace
      const loaded = page.waitForResponse((response) => response.url().endsWith('/load'))
      await page.keyboard.press('r')
      await loaded
      await page.locator('.widget-body[aria-busy=false]').waitFor()
    },
  }
}
