import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import app from '../../../templates/http-workers/dev/worker.ts'
import { CONTROL_PREFIX, TOKEN_HEADER } from '../../../src/tools/emulator/protocol/workspace.ts'

const CUSTOMERS = {
  'Northwind Traders': { ids: { account_id: 'acc_northwind' }, shows: ['Northwind Traders'] },
  'Lumen Optics': { ids: { account_id: 'acc_lumen' }, shows: ['Lumen Optics'] },
}

test('the first check of a template with the IDs of the newest issue fails no rule, and says what would prove it', async () => {
  const { check, emulator } = await openTemplate()
  const [issue] = emulator.issues.list()
  expect(await check({ issueId: issue?.id })).toMatchObject({
    verdict: 'not_proven',
    summary: { fail: 0 },
    unproven: [{ proof: expect.stringContaining('shows') }],
  })
})

test('the first check of a template as the customers of its project proves that it conforms', async () => {
  const { check, emulator } = await openTemplate()
  emulator.project.set({ customers: CUSTOMERS })
  expect(await check({})).toMatchObject({
    verdict: 'conforms',
    summary: { fail: 0 },
    unproven: [],
  })
})

/** A template with its local secret, connected to an emulator, and the check of the workspace. */
async function openTemplate() {
  // The template logs the requests that it rejects.
  vi.spyOn(console, 'warn').mockReturnValue()
  const emulator = createEmulator()
  onTestFinished(async () => {
    await emulator.close()
  })
  const secret = 'template-secret'
  const env = { SIDECARD_SECRET: secret, API_URL: 'https://api.example.com' }
  const { id } = await emulator.apps.create({
    name: 'Template',
    headers: { 'x-sidecard-secret': secret },
    target: { fetch: (request) => app.fetch(request, env) },
  })
  const { url } = await emulator.listen()
  const page = await (await fetch(`${url}/`)).text()
  const token = /<meta name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const check = async (input: object): Promise<unknown> => {
    const response = await fetch(`${url}${CONTROL_PREFIX}apps/${id}/check`, {
      method: 'POST',
      headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    return response.json()
  }
  return { check, emulator }
}
