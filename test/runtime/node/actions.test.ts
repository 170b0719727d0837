import { serve } from 'sidecard/node'
import { expect, onTestFinished, test } from 'vitest'
import { createActionApp, createExtendTrial, readPage } from '../../helpers/actions.ts'
import { findFreePort } from '../../helpers/free-port.ts'

test('a graceful stop waits for an action whose browser went away', async () => {
  const port = await findFreePort()
  const started = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const events: string[] = []
  const extendTrial = createExtendTrial({
    run: async ({ signal }: { signal: AbortSignal }) => {
      started.resolve()
      await end.promise
      events.push(signal.aborted ? 'was aborted' : 'ran')
    },
  })
  const publicUrl = `http://127.0.0.1:${port}`
  const app = createActionApp(extendTrial, { publicUrl })
  const onClose = () => void events.push('closed')
  const server = await serve(app, { port, handleSignals: false, env: {}, onClose })
  onTestFinished(() => server.close())
  const response = await fetch(`${publicUrl}/?request_type=fetch_data&account_id=a`)
  const [{ url }] = (await response.json()).components
  const page = await readPage(await fetch(url))
  const body = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
  const browser = new AbortController()
  const headers = { origin: publicUrl }
  const init = { method: 'POST', body, headers, signal: browser.signal }
  const sent = fetch(`${publicUrl}/actions`, init).catch(() => undefined)
  await started.promise
  browser.abort()
  await sent
  const closing = server.close()
  end.resolve()
  await closing
  expect(events).toEqual(['ran', 'closed'])
})
