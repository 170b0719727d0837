/**
 * How long the workspace takes to validate, render and lay out a widget of a
 * hundred components in a real browser, from its JSON on:
 * `npm run build && node bench/workspace.ts [rounds]`.
 */
import { chromium } from 'playwright-core'
import { createEmulator } from '../src/emulator/index.ts'
import { launchBrowser } from '../scripts/chromium.ts'
import { formatSpread, spread } from './statistics.ts'

const COMPONENTS = 100
const rounds = Number(process.argv[2] ?? 30)

const components = Array.from({ length: COMPONENTS }, (_, index) =>
  index % 3 === 0
    ? { type: 'text', label: `Text ${index}`, value: 'Several\nlines of text' }
    : index % 3 === 1
      ? { type: 'date_time', label: `Date ${index}`, value: '2026-11-21T09:30:00Z' }
      : { type: 'badge', label: `Badge ${index}`, items: [{ value: 'Active', color: 'green' }] },
)
const payload = { version: '1.0.0', header: { title: 'A hundred components' }, components }

await using emulator = createEmulator()
const { url } = await emulator.listen({ port: 0 })
const server = await launchBrowser()
const browser = await chromium.connect(server.wsEndpoint())
const page = await browser.newPage()
await page.goto(`${url}#/playground`)

const times: number[] = []
for (let round = 0; round < rounds; round += 1) {
  // Another title each time, so that nothing of the last round is still right.
  const text = JSON.stringify({ ...payload, header: { title: `Round ${round}` } })
  times.push(
    await page.evaluate(async (value) => {
      const field = document.querySelector<HTMLTextAreaElement>('.editor-field')
      if (field === null) throw new Error('The playground has no editor.')
      const write = (json: string) => {
        field.value = json
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
      write('{"version":"1.0.0","header":{},"components":[]}')
      await new Promise((resolve) => setTimeout(resolve, 50))
      return new Promise<number>((resolve) => {
        const start = performance.now()
        const watch = new MutationObserver(() => {
          if (document.querySelectorAll('.widget_row').length < 100) return
          watch.disconnect()
          // Reading a size makes the browser lay everything out.
          void document.querySelector<HTMLElement>('.widget_payload')?.offsetHeight
          resolve(performance.now() - start)
        })
        watch.observe(document.body, { childList: true, subtree: true })
        write(value)
      })
    }, text),
  )
}
console.log(
  `${COMPONENTS} components: validated, rendered and laid out in ${formatSpread(spread(times))} ms`,
)
await browser.close()
await server.close()
