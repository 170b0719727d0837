import type { Locator } from 'playwright-core'

/** Waits until an element is visible, and fails at the timeout. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor()
}
