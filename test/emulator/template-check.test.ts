import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { createApp } from '../../templates/node/src/app.ts'
import { openDatabase } from '../../templates/node/src/database.ts'
import { CONTROL_PREFIX, TOKEN_HEADER } from '../../src/emulator/protocol/workspace.ts'

test('the first check of a template, with the IDs of the newest issue, proves that it conforms', async () => {
  // The template logs the requests that it rejects.
  vi.spyOn(console, 'warn').mockReturnValue()
  const database = await openDatabase()
  const emulator = createEmulator()
  onTestFinished(async () => {
    await emulator.close()
    database.close()
  })
  const secret = 'template-secret'
  const app = createApp(database)
  const { id } = await emulator.apps.create({
    name: 'Template',
    headers: { 'x-sidecard-secret': secret },
    target: { fetch: (request) => app.fetch(request, { SIDECARD_SECRET: secret }) },
  })
  const { url } = await emulator.listen()
  const page = await (await fetch(`${url}/`)).text()
  const token = /<meta name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const [issue] = emulator.issues.list()
  const response = await fetch(`${url}${CONTROL_PREFIX}apps/${id}/check`, {
    method: 'POST',
    headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json' },
    body: JSON.stringify({ issueId: issue?.id }),
  })
  expect(await response.json()).toMatchObject({ verdict: 'conforms', summary: { fail: 0 } })
})
