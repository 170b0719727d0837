import { expect } from 'vitest'
import type { Page } from 'playwright-core'

/** The editor of the playground. */
export interface PlaygroundEditor {
  /** Replaces the whole text by pasting. Requires the clipboard permission. */
  readonly fill: (text: string) => Promise<void>
  /** The visible text of the editor. Long texts are only rendered in part. */
  readonly text: () => Promise<string>
  /** Sets the cursor after the first visible occurrence of a text. */
  readonly placeCursorAfter: (text: string) => Promise<void>
}

/** Drives the editor of the playground. */
export function playgroundEditor(page: Page): PlaygroundEditor {
  const content = page.getByLabel('Payload as JSON')
  // innerText would add a line break for an empty line.
  const readText = async () => (await content.locator('.cm-line').allTextContents()).join('\n')
  return {
    async fill(text) {
      await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text)
      await content.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+v')
      // The browser pastes after the key. A long text is shown in part only.
      const lines = text.replaceAll(/\r\n?/g, '\n')
      if (text.length < 2_000) await expect.poll(readText).toBe(lines)
    },
    text: readText,
    async placeCursorAfter(text) {
      const offset = (await readText()).indexOf(text) + text.length
      expect(offset).toBeGreaterThanOrEqual(text.length)
      await content.focus()
      await page.keyboard.press('Control+Home')
      for (let moved = 0; moved < offset; moved += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one key after another
        await page.keyboard.press('ArrowRight')
      }
    },
  }
}
