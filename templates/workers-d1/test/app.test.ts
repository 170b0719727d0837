import { readFile } from 'node:fs/promises'
import { createEmulator } from 'sidecard/emulator'
import { desk } from 'sidecard/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getPlatformProxy } from 'wrangler'
import type { Env } from '../src/env.ts'
import app from '../src/index.ts'

const headers = { 'x-sidecard-secret': 'test' }
let proxy: Awaited<ReturnType<typeof getPlatformProxy<Env>>>

/** A real D1 database, in memory, from the same migration and seed as the local one. */
beforeAll(async () => {
  proxy = await getPlatformProxy<Env>({ persist: false })
  for (const file of ['migrations/0001_customers.sql', 'seed.sql']) {
    const sql = await readFile(file, 'utf8')
    const statements = sql
      .replaceAll(/^--.*$/gm, '')
      .split(';')
      .filter((one) => one.trim() !== '')
    await proxy.env.DB.batch(statements.map((statement) => proxy.env.DB.prepare(statement)))
  }
})
afterAll(() => proxy.dispose())

// The app logs whom it refuses and what failed; here that is expected.
vi.spyOn(console, 'warn').mockReturnValue()
vi.spyOn(console, 'error').mockReturnValue()

async function open(ids: { account_id?: string }, api = {}) {
  const env = { DB: proxy.env.DB, SIDECARD_SECRET: 'test', ...api }
  const agent = desk(app, { env, headers })
  expect((await agent.connect()).ok).toBe(true)
  return agent.openIssue(ids)
}

describe('the sidebar', () => {
  test('shows the plan, the orders and the invoices of a customer', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    for (const shown of [
      'Northwind Traders',
      'Business',
      '● Active',
      '#10482',
      'INV-2201',
      '● Paid',
    ]) {
      expect(text).toContain(shown)
    }
    expect(findings).toEqual([])
  })

  test('says that an invoice is open', async () => {
    expect((await open({ account_id: 'acc_lumen' })).text).toContain('● Open')
  })

  test('says that a customer has no orders and no invoices yet', async () => {
    const { text } = await open({ account_id: 'acc_koi' })
    expect(text.match(/None yet/g)).toHaveLength(2)
  })

  test('says that a customer is unknown', async () => {
    expect((await open({ account_id: "acc'; DROP TABLE customers --" })).text).toContain('Unknown')
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
    const env = { DB: proxy.env.DB, SIDECARD_SECRET: 'test' }
    expect((await desk(app, { env }).connect()).ok).toBe(false)
  })

  test('nobody at all while no secret is set', async () => {
    expect((await desk(app, { env: { DB: proxy.env.DB }, headers }).connect()).ok).toBe(false)
  })
})
