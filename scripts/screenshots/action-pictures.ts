import type { Page } from 'playwright-core'
import { type ActionServer, STATES } from '../../test/browser/helpers/action-server.ts'

type Open = (page: Page, server: ActionServer) => Promise<void>

const openForm: Open = async (page, { createRefundLink }) => {
  await page.goto(await createRefundLink())
}

const confirm: Open = async (page, server) => {
  await STATES['review']!(page, server)
  await page.getByRole('button', { name: 'Refund' }).click()
}

/** The pages of which the guide about actions has a picture, by the name of its file. */
export const ACTION_PICTURES: Readonly<
  Record<string, { readonly open: Open; readonly colorScheme?: 'dark' }>
> = {
  'action-form': { open: openForm },
  'action-form-dark': { open: openForm, colorScheme: 'dark' },
  'action-review': { open: STATES['review']! },
  'action-done': { open: confirm },
  'action-unknown': {
    async open(page, server) {
      server.world.run = () => Promise.reject(new Error('lost connection'))
      await confirm(page, server)
    },
  },
}

/** Returns the text of a page without its times and its trace ID, to notice an old picture. */
export async function readPictureText(page: Page): Promise<string> {
  const text = await page.locator('main').innerText()
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '…')
    .replace(/(Trace ID ).*/, '$1…')
    .replaceAll(/(?:now|\d+ seconds ago) \(/g, 'now (')
}
