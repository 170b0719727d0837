import type { Browser, BrowserContextOptions } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { serveActions } from './action-server.ts'

/** Opens an empty page, a server with an action, and a list of what the security policy blocks. */
export async function openActionPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  messages: Record<string, unknown> = {},
) {
  const server = await serveActions(messages)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const violations: string[] = []
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    await server.close()
  })
  return { page, server, violations }
}
