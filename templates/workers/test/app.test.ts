import { createEmulator } from 'sidecard/emulator'
import { desk } from 'sidecard/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import app from '../src/index.ts'

const env = { SIDECARD_SECRET: 'test' }
const headers = { 'x-sidecard-secret': 'test' }

// The app logs whom it refuses and what failed; here that is expected.
vi.spyOn(console, 'warn').mockReturnValue()
vi.spyOn(console, 'error').mockReturnValue()

async function open(ids: { account_id?: string }, api = {}) {
  const agent = desk(app, { env: { ...env, ...api }, headers })
  expect((await agent.connect()).ok).toBe(true)
  return agent.openIssue(ids)
}

describe('the sidebar', () => {
  test('shows the plan, the status and the orders of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    expect(text).toContain('Northwind Traders')
    expect(text).toContain('Business')
    expect(text).toContain('● Active')
    expect(text).toContain('#10482')
    expect(findings).toEqual([])
  })

  test('says that a customer has no orders yet', async () => {
    expect((await open({ account_id: 'acc_koi' })).text).toContain('None yet')
  })

  test('says that a customer is unknown', async () => {
    expect((await open({ account_id: 'acc_nobody' })).text).toContain('Unknown customer')
  })

  test('says that an issue has no account', async () => {
    expect((await open({ account_id: '' })).text).toContain('Not available')
  })

  test('offers the public forms of the service', async () => {
    const service = createEmulator()
    onTestFinished(() => service.close())
    const { url: SIDECARD_API_URL } = await service.listen()
    const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: service.accessToken }
    const { text } = await open({ account_id: 'acc_koi' }, api)
    expect(text).toContain('Request a refund')
    expect(text).not.toContain('Escalation')
  })

  test('has all the rest when the API is down', async () => {
    const api = { SIDECARD_API_URL: 'http://127.0.0.1:9', SIDECARD_API_TOKEN: 'x' }
    const { text } = await open({ account_id: 'acc_northwind' }, api)
    expect(text).toContain('Northwind Traders')
    expect(text).toContain('#10482')
    expect(text).not.toContain('Request a refund')
  })
})

describe('who may read', () => {
  test('nobody without the secret', async () => {
    const connection = await desk(app, { env }).connect()
    expect(connection).toMatchObject({ ok: false, reason: 'status' })
  })

  test('nobody at all while no secret is set', async () => {
    const connection = await desk(app, { env: {}, headers }).connect()
    expect(connection.ok).toBe(false)
  })
})
