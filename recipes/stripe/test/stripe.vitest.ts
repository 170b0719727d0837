import { identify, noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStripe, stripeCustomerCard, stripeLookups, stripeSections } from '../src/stripe.ts'
import { startStripeServer } from './stripe-server.ts'

let server: Awaited<ReturnType<typeof startStripeServer>>
beforeEach(async () => {
  server = await startStripeServer()
})
afterEach(() => server.close())

// Some tests cause failures, which the app logs.
vi.spyOn(console, 'error').mockReturnValue()

function open(ids: { account_id?: string; requester_email?: string }, apiKey = 'rk_test_1') {
  const stripe = createStripe(apiKey, server.config)
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    async fetchData(ctx) {
      const { value: customer, via } = await identify(ctx, stripeLookups(stripe))
      return [stripeCustomerCard(customer, via), ...stripeSections(customer.id, stripe)]
    },
  })
  return createTestService(app).openIssue({ account_id: '', requester_email: '', ...ids })
}

describe('the Stripe customer', () => {
  test('is found by metadata, with subscription, invoices and a link', async () => {
    const { text, findings } = await open({ account_id: 'acc_northwind' })
    expect(text).toContain('Northwind Traders')
    expect(text).toContain('Open in Stripe')
    expect(text).toMatch(/Plan +Business/)
    expect(text).toMatch(/Seats +25/)
    expect(text).toMatch(/Price +€1,225\.00 per month/)
    expect(text).toMatch(/Renews +Mar 1, 2027/)
    expect(text).toContain('● past_due')
    expect(findings).toEqual([])
  })

  test('is found by the email in any letter case, without a link', async () => {
    const { text } = await open({
      account_id: 'acc_unknown',
      requester_email: 'MARIA.anders@northwind.example',
    })
    expect(text).toContain('Northwind Traders')
    expect(text).toMatch(/Matched by +● Email/)
    expect(text).not.toContain('Open in Stripe')
  })

  test('is found by an ID that contains quotes', async () => {
    expect((await open({ account_id: 'acc_"quoted\\' })).text).toContain('Quotes')
  })

  test('is not guessed if several customers have the email', async () => {
    expect((await open({ requester_email: 'team@koi.example' })).outcome).toBe('ambiguous')
  })

  test('is not found if Stripe has no match', async () => {
    expect((await open({ account_id: 'acc_unknown' })).outcome).toBe('not_found')
  })

  test('may have no subscription and no invoices', async () => {
    const { text } = await open({ account_id: 'acc_"quoted\\' })
    expect(text).toMatch(/Subscription +None/)
    expect(text).toMatch(/Invoices +None yet/)
  })

  test('has amounts in the minor units of Stripe', async () => {
    expect((await open({ account_id: 'acc_northwind' })).text).toMatch(/ISK\s1,249/)
  })
})

describe('if Stripe fails', () => {
  test('a section is replaced and the rest is shown', async () => {
    server.fail('invoices')
    const { text, failures } = await open({ account_id: 'acc_northwind' })
    expect(text).toMatch(/Plan +Business/)
    expect(failures).toMatchObject([{ kind: 'section_failed', section: 'Invoices' }])
  }, 10_000)

  test('no other customer is shown', async () => {
    const { text, failures } = await open({ account_id: 'acc_northwind' }, 'rk_test_wrong')
    expect(failures).toMatchObject([{ kind: 'identity_failed' }])
    expect(text).not.toContain('rk_test_wrong')
  })
})
