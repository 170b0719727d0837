import { expect } from 'vitest'
import type { Page } from 'playwright-core'

/** The editor of the playground. */
export interface PlaygroundEditor {
  /** Replaces the whole text by pasting. Requires the clipboard permission. */
  readonly fill: (text: string) => Promise<void>
  /** The text of the editor. */
  readonly text: () => Promise<string>
  /** Sets the cursor after the first occurrence of a text. */
  readonly placeCursorAfter: (text: string) => Promise<void>
}

/** Drives the editor of the playground. */
export function playgroundEditor(page: Page): PlaygroundEditor {
  const content = page.getByLabel('Payload as JSON')
  const readText = () => content.inputValue()
  return {
    async fill(text) {
      await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text)
      await content.focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Control+v')
      // The browser pastes after the key, and replaces lone surrogates.
      const lines = text.replaceAll(/\r\n?/g, '\n').toWellFormed()
      if (text.length < 100_000) await expect.poll(readText).toBe(lines)
    },
    text: readText,
    async placeCursorAfter(text) {
      const offset = (await readText()).indexOf(text) + text.length
      expect(offset).toBeGreaterThanOrEqual(text.length)
      await content.focus()
      await content.evaluate((field: HTMLTextAreaElement, at) => {
        field.setSelectionRange(at, at)
      }, offset)
      // The page reads the cursor after a key.
      await page.keyboard.press('Shift')
    },
  }
}
