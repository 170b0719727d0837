import type { Locator } from 'playwright-core'

/** Fails unless the page comes to show it. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor()
}
