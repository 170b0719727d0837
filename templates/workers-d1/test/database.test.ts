import { createTestService } from 'sidecard/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { getPlatformProxy } from 'wrangler'
import type { Env } from '../src/env.ts'
import app from '../../workers/src/index.ts'
import { env } from './env.ts'

const headers = { 'x-sidecard-secret': 'test' }

// The app logs rejected requests, and the errors of health checks.
vi.spyOn(console, 'warn').mockReturnValue()
vi.spyOn(console, 'error').mockReturnValue()

describe('the database', () => {
  test('receives an ID as a value, never as SQL', async () => {
    const service = createTestService(app, { env, headers })
    const ids = { account_id: "acc'; DROP TABLE customers --", requester_email: '' }
    expect((await service.openIssue(ids)).outcome).toBe('not_found')
  })

  test('that is not bound makes the app reject every request', async () => {
    const unbound = { SIDECARD_SECRET: 'test' }
    expect((await createTestService(app, { env: unbound, headers }).connect()).ok).toBe(false)
  })

  test('without tables makes the health check fail', async () => {
    const empty = await getPlatformProxy<Env>({ persist: false })
    onTestFinished(() => empty.dispose())
    const response = await app.request('/health', {}, { ...env, DB: empty.env.DB })
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ status: 'failing', sources: { customers: 'failing' } })
  })
})
