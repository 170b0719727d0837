import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import app from '../src/index.ts'
import { env } from './env.ts'

// A denied agent is logged.
vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

async function open(agent?: { email: string }) {
  const emulator = createEmulator()
  onTestFinished(() => emulator.close())
  const { url: SIDECARD_API_URL } = await emulator.listen()
  const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: emulator.accessToken }
  const headers = { 'x-sidecard-secret': 'test' }
  const options = { env: { ...env, ...api }, headers, ...(agent && { agent }) }
  const service = createTestService(app, options)
  await service.openIssue({ issue_id: crypto.randomUUID(), account_id: 'acc_northwind' })
  return service.openAction('Create follow-up task')
}

describe('the follow-up task', () => {
  test('is created in the service, once', async () => {
    const page = await open({ email: 'robin@example.com' })
    const { outcome, text } = await page.confirm({ title: 'Call back' })
    expect([outcome, text]).toEqual(['done', expect.stringMatching(/Task: task_/)])
    expect((await page.confirm({ title: 'Call back' })).outcome).toBe('already_done')
  })

  test('is denied to agents who are not signed in', async () => {
    expect(await open()).toMatchObject({ status: 403, form: undefined })
  })
})
