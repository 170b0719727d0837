import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { createStripe, stripeClient, stripeSection } from '../src/stripe.ts'
import { startStripeServer } from './stripe-server.ts'

let server: Awaited<ReturnType<typeof startStripeServer>>
beforeEach(async () => {
  server = await startStripeServer()
})
afterEach(() => server.close())

const connect = (apiKey = 'rk_test_1') => createStripe(apiKey, server.config)

function open(ids: { account_id?: string; requester_email?: string }, stripe = connect()) {
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    // Some tests cause failures.
    logger: false,
    fetchData: (ctx) => [stripeSection(ctx, stripe)],
  })
  return createTestService(app).openIssue({ account_id: '', requester_email: '', ...ids })
}

describe('the Stripe customer', () => {
  test('is found by metadata, with subscription, invoices and a link', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    assert.ok(text.includes('Northwind Traders'))
    assert.ok(text.includes('Open in Stripe'))
    assert.match(text, /Plan +Business/)
    assert.match(text, /Seats +25/)
    assert.match(text, /Price +€1,225\.00 per month/)
    assert.match(text, /Renews +Mar 1, 2027/)
    assert.ok(text.includes('● past_due'))
    assert.deepEqual(findings, [])
  })

  test('is found by the email in any letter case, without a link', async () => {
    const { text } = await open({
      account_id: 'acc_unknown',
      requester_email: 'MARIA.anders@northwind.example',
    })
    assert.ok(text.includes('Northwind Traders'))
    assert.match(text, /Matched by +● Email/)
    assert.ok(!text.includes('Open in Stripe'))
  })

  test('is found by an ID that contains quotes', async () => {
    assert.ok((await open({ account_id: 'acc_"quoted\\' })).text.includes('Quotes'))
  })

  test('is not guessed if several customers have the email', async () => {
    assert.strictEqual((await open({ requester_email: 'team@koi.example' })).outcome, 'ambiguous')
  })

  test('is not found if Stripe has no match', async () => {
    assert.strictEqual((await open({ account_id: 'acc_unknown' })).outcome, 'not_found')
  })

  test('may have no subscription and no invoices', async () => {
    const { text } = await open({ account_id: 'acc_"quoted\\' })
    assert.match(text, /Subscription +None/)
    assert.match(text, /Invoices +None yet/)
  })

  test('has amounts in the minor units of Stripe', async () => {
    assert.match((await open({ account_id: 'acc_northwind' })).text, /ISK\s1,249/)
  })
})

describe('if Stripe fails', () => {
  test('the section is replaced', async () => {
    server.fail('invoices')
    const { failures } = await open({ account_id: 'acc_northwind' })
    assert.deepEqual(
      failures.map(({ kind, section }) => [kind, section]),
      [['section_failed', 'Stripe']],
    )
  })

  test('no other customer is shown', async () => {
    const ids = { account_id: 'acc_northwind' }
    const { text, failures } = await open(ids, connect('rk_test_wrong'))
    assert.strictEqual(failures.length, 1)
    assert.ok(!text.includes('Northwind'))
    assert.ok(!text.includes('rk_test_wrong'))
  })
})

test('requests of one environment share a client, and there is none without a key', () => {
  const env = { STRIPE_API_KEY: 'rk_test_1' }
  assert.ok(stripeClient(env) !== undefined)
  assert.strictEqual(stripeClient(env), stripeClient(env))
  assert.strictEqual(stripeClient({ STRIPE_API_KEY: '' }), undefined)
})
