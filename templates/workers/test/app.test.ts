import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import app from '../src/index.ts'
import { env } from './env.ts'

const headers = { 'x-sidecard-secret': 'test' }

/** An issue without IDs. */
const NO_IDS = { account_id: '', requester_id: '', requester_email: '' }

// Some tests cause rejected requests and failures, which the app logs.
vi.spyOn(console, 'warn').mockReturnValue()
vi.spyOn(console, 'error').mockReturnValue()

function open(ids: { account_id?: string; requester_email?: string }, api = {}) {
  const service = createTestService(app, { env: { ...env, ...api }, headers })
  return service.openIssue({ ...NO_IDS, ...ids })
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the errors of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    const shown = [
      'Northwind Traders',
      'Business',
      '€1,249.00',
      '● active',
      '#10482',
      'Webhook',
      'Open in',
    ]
    for (const each of shown) expect(text).toContain(each)
    expect(findings).toEqual([])
  })

  test('shows a customer who is only known by email, without the admin link', async () => {
    const ids = { account_id: 'acc_unknown', requester_email: 'Maria.Anders@northwind.example' }
    const { text, outcome } = await open(ids)
    expect(outcome).toBe('rendered')
    expect(text).toContain('Northwind Traders')
    expect(text).toMatch(/Matched by +● Email/)
    expect(text).not.toContain('Open in admin')
  })

  test('lists the candidates if several customers match', async () => {
    const { text, outcome } = await open({ requester_email: 'new@lumen.example' })
    expect(outcome).toBe('ambiguous')
    expect(text).toContain('Lumen & Søn')
    expect(text).toContain('Lumen Labs')
  })

  test('says that no customer was found', async () => {
    const { text, outcome } = await open({ account_id: 'acc_unknown' })
    expect(outcome).toBe('not_found')
    expect(text).toContain('Customer not found')
  })

  test('says that an issue has no IDs', async () => {
    const { text, outcome } = await open({})
    expect(outcome).toBe('not_found')
    expect(text).toContain('no account ID')
  })

  test('shows an unknown status', async () => {
    expect((await open({ account_id: 'acc_foxglove' })).text).toContain('● trialing')
  })

  test('says that a customer has no orders and no errors', async () => {
    const { text } = await open({ account_id: 'acc_koi' })
    expect(text).toContain('¥980,000')
    expect(text).toContain('None yet')
    expect(text).toMatch(/Errors +None/)
  })

  test('shows how often an error occurred', async () => {
    const { text, payload } = await open({ account_id: 'acc_lumen' })
    expect(text.match(/Card was/g)).toHaveLength(1)
    expect(JSON.stringify(payload)).toContain('Card was declined (2 times)')
  })

  test('shows links to the public forms of the service', async () => {
    const service = createEmulator()
    onTestFinished(() => service.close())
    const { url: SIDECARD_API_URL } = await service.listen()
    const api = { SIDECARD_API_URL, SIDECARD_API_TOKEN: service.accessToken }
    const { text } = await open({ account_id: 'acc_lumen_labs' }, api)
    expect(text).toContain('Request a refund')
    expect(text).not.toContain('Escalation')
  })

  test('shows the rest if one data source fails', async () => {
    const api = { SIDECARD_API_URL: 'http://127.0.0.1:9', SIDECARD_API_TOKEN: 'x' }
    const { text, failures } = await open({ account_id: 'acc_lumen' }, api)
    expect(text).toContain('Lumen & Søn')
    expect(text).toContain('#10415')
    expect(failures).toMatchObject([{ section: 'Forms to send' }])
  })
})

describe('the endpoint', () => {
  test('rejects a request without the secret', async () => {
    const connection = await createTestService(app, { env }).connect()
    expect(connection).toMatchObject({ ok: false, reason: 'status' })
  })

  test('rejects every request while no secret is configured', async () => {
    const withoutSecret = { ...env, SIDECARD_SECRET: undefined }
    expect((await createTestService(app, { env: withoutSecret, headers }).connect()).ok).toBe(false)
  })

  test('rejects every request while a variable is invalid', async () => {
    const invalid = { ...env, SIDECARD_API_URL: 'not a URL' }
    expect((await createTestService(app, { env: invalid, headers }).connect()).ok).toBe(false)
  })

  test('reports its health', async () => {
    const response = await app.request('/health', {}, env)
    expect(await response.json()).toEqual({ status: 'ok', sources: { customers: 'ok' } })
  })
})
