import type { Page } from 'playwright-core'

/** Opens the dialog for custom IDs. */
export async function editIds(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More sidebar tools' }).click()
  await page.getByRole('menuitem', { name: 'Custom request' }).click()
}
