import { desk } from 'sidecard/testing'
import { describe, expect, test } from 'vitest'
import app from '../src/index.ts'

const headers = { 'x-sidecard-secret': 'test' }

async function open(ids: { account_id?: string }) {
  const agent = desk(app, { env: { SIDECARD_SECRET: 'test' }, headers })
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
    expect(findings.filter(({ level }) => level === 'MUST')).toEqual([])
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
})

describe('who may read', () => {
  test('nobody without the secret', async () => {
    const connection = await desk(app, { env: { SIDECARD_SECRET: 'test' } }).connect()
    expect(connection).toMatchObject({ ok: false, reason: 'status' })
  })

  test('nobody at all while no secret is set', async () => {
    const connection = await desk(app, { env: {}, headers }).connect()
    expect(connection.ok).toBe(false)
  })
})
