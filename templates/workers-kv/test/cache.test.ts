import { createTestService } from 'sidecard/testing'
import { describe, expect, test, vi } from 'vitest'
import app from '../../workers/src/index.ts'
import { env } from './env.ts'

const headers = { 'x-sidecard-secret': 'test' }

// One test causes failures, which the app logs.
vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

async function open(accountId: string, bindings = env) {
  const service = createTestService(app, { env: bindings, headers })
  const ids = { account_id: accountId, requester_id: '', requester_email: '' }
  const { result, outcome } = await service.openIssue(ids)
  return { outcome, cache: result.exchange.response?.headers['x-sidecard-cache'] }
}

describe('the cache', () => {
  test('returns the cached payload of a customer', async () => {
    expect(await open('acc_northwind')).toEqual({ outcome: 'rendered', cache: 'miss' })
    expect(await open('acc_northwind')).toEqual({ outcome: 'rendered', cache: 'hit' })
  })

  test('is only in KV, which all instances of the Worker share', async () => {
    await open('acc_lumen')
    const { keys } = await env.PAYLOADS.list()
    await Promise.all(keys.map(({ name }) => env.PAYLOADS.delete(name)))
    expect((await open('acc_lumen')).cache).toBe('miss')
  })

  test('does not store the card for an unknown customer', async () => {
    await open('acc_unknown')
    expect(await open('acc_unknown')).toEqual({ outcome: 'not_found', cache: 'miss' })
  })

  test('does not fail a request if it is down', async () => {
    const down = () => Promise.reject(new Error('down'))
    const PAYLOADS = { get: down, put: down } as unknown as (typeof env)['PAYLOADS']
    expect((await open('acc_koi', { ...env, PAYLOADS })).outcome).toBe('rendered')
  })

  test('has keys without IDs and emails', async () => {
    await open('acc_northwind')
    const { keys } = await env.PAYLOADS.list()
    expect(keys.length).toBeGreaterThan(0)
    for (const { name } of keys) expect(name).toMatch(/^sidecard:[\w-]+$/)
  })
})
