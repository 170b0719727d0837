import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { actions, anyAgent, memoryReceipts } from 'sidecard/actions'
import { createTestService } from 'sidecard/testing'
import { createRefund, createStripe, type RefundEnv } from '../src/refund.ts'
import { startPaymentServer } from './payment-server.ts'

let payments: Awaited<ReturnType<typeof startPaymentServer>>
/** How far the clock of the app is ahead. */
let waitedMs = 0
beforeEach(async () => {
  waitedMs = 0
  payments = await startPaymentServer()
})
afterEach(() => payments.close())

/** Opens the page of the refund as an agent of these groups. */
function start(...groups: string[]) {
  const refund = createRefund((key) => createStripe(key, payments.config))
  const app = sidecard<RefundEnv>({
    name: 'refunds',
    header: { title: 'Refunds' },
    auth: noAuth(),
    logger: false,
    fetchData: () => refund.button({ chargeId: 'ch_1', currency: 'EUR' }),
    actions: actions({
      list: [refund],
      secret: { binding: 'SIDECARD_ACTION_SECRET' },
      signIn: anyAgent(),
      receipts: memoryReceipts(),
    }),
  })
  const agent = { email: 'robin@acme.example', groups }
  const env = { STRIPE_REFUND_KEY: 'rk_test_1' }
  const service = createTestService(app, { env, agent, now: () => Date.now() + waitedMs })
  return async () => {
    await service.openIssue()
    return service.openAction('Refund')
  }
}

const sum = () => payments.refunds.reduce((total, { amount }) => total + amount, 0)

test('a part of the charge is refunded, and the form knows what is left', async () => {
  const open = start()
  const page = await open()
  assert.match(page.text, /Customer: Northwind Traders/)
  assert.equal(page.form?.['amount'], '120.00')
  const { outcome, text } = await page.confirm({ amount: '10.50' })
  assert.equal(outcome, 'done')
  assert.match(text, /Refund €10\.50 of ch_1/)
  assert.equal(sum(), 1_050)
  assert.equal((await open()).form?.['amount'], '109.50')
})

test('a large amount needs the group leads', async () => {
  assert.equal((await (await start()()).confirm({ amount: '100,01 €' })).outcome, 'forbidden')
  assert.equal((await (await start('leads')()).confirm({ amount: '100.01' })).outcome, 'done')
  assert.equal(sum(), 10_001)
})

test('after a lost reply, Stripe is asked, and nothing is paid twice', async () => {
  const open = start()
  payments.losesReply = true
  assert.equal((await (await open()).confirm({ amount: '10' })).outcome, 'unknown')
  payments.losesReply = false
  const page = await open()
  assert.match(page.text, /Last done: .* by robin@acme\.example/)
  assert.equal(sum(), 1_000)
})

test('while a refund can still go through, nobody can refund again', async () => {
  const open = start()
  payments.losesReply = true
  await (await open()).confirm({ amount: '10' })
  payments.isDown = true
  const page = await open()
  assert.match(page.text, /This may still go through\. Check again in/)
  assert.equal(page.form, undefined)
  payments.isDown = false
  waitedMs = 10_000
  assert.match((await open()).text, /Last done/)
  assert.equal(sum(), 1_000)
})

test('after an outage, the refund can be made as soon as nothing can arrive any more', async () => {
  const open = start()
  payments.isDown = true
  assert.equal((await (await open()).confirm({ amount: '10' })).outcome, 'unknown')
  payments.isDown = false
  assert.equal((await open()).form, undefined)
  waitedMs = 80_000
  const page = await open()
  assert.match(page.text, /The last confirmation did not go through/)
  assert.equal((await page.confirm({ amount: '10' })).outcome, 'done')
  assert.equal(sum(), 1_000)
})

test('a request that arrives late does not pay a second time', async () => {
  const open = start()
  payments.isSlow = true
  assert.equal((await (await open()).confirm({ amount: '10' })).outcome, 'unknown')
  payments.isSlow = false
  waitedMs = 80_000
  assert.equal((await (await open()).confirm({ amount: '10' })).outcome, 'done')
  // It is even later than the app expects. The amount is the same, and so is the key.
  payments.arrive()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal((await open()).form?.['amount'], '110.00')
  assert.equal(sum(), 1_000)
})
