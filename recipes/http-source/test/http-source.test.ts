import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { httpSource, subscriptionSection } from '../src/http-source.ts'
import fixture from './fixtures/subscription.json' with { type: 'json' }

const env = { BILLING_API_URL: 'https://billing.example.com', BILLING_API_TOKEN: 't0ken' }
const found = () => Response.json(fixture)

/** Apps with the same bindings share the cache of the section. */
const bindings = {}

/** Opens an issue of a customer, while the API responds in this way. */
async function open(accountId: string, respond: () => Response, variables = env) {
  const urls: string[] = []
  const { fetch } = globalThis
  globalThis.fetch = async (input) => {
    urls.push(input instanceof Request ? input.url : String(input))
    return respond()
  }
  try {
    const app = sidecard({
      header: { title: 'Billing' },
      auth: noAuth(),
      // Some tests cause failures.
      logger: false,
      fetchData: () => [subscriptionSection(accountId, httpSource(variables))],
    })
    return { ...(await createTestService(app, { env: bindings }).openIssue()), urls }
  } finally {
    globalThis.fetch = fetch
  }
}

describe('the subscription', () => {
  test('shows plan, seats and status', async () => {
    const { text, urls, failures } = await open('acc/1', found)
    assert.match(text, /Business/)
    assert.match(text, /25/)
    assert.match(text, /past_due/i)
    assert.deepEqual(failures, [])
    assert.deepEqual(urls, ['https://billing.example.com/accounts/acc%2F1/subscription'])
  })

  test('says that a customer has none', async () => {
    const { text } = await open('none', () => new Response('', { status: 404 }))
    assert.match(text, /None/)
  })

  test('is a failure if the response violates the schema', async () => {
    const { failures, text } = await open('invalid', () => Response.json({ plan: 1 }))
    assert.deepEqual(
      failures.map(({ kind, section }) => [kind, section]),
      [['section_failed', 'Subscription']],
    )
    assert.ok(!text.includes('t0ken'))
  })

  test('shows a renewal date without a time as a date, and one with a time as a time', async () => {
    const renews = async (renews_at: unknown) => {
      const { text } = await open(`at ${String(renews_at)}`, () =>
        Response.json({ ...fixture, renews_at }),
      )
      return /Renews +(.*?) *│/.exec(text)?.[1]
    }
    assert.strictEqual(await renews('2027-03-01'), 'Mar 1, 2027')
    assert.match((await renews('2027-03-01T00:00:00Z')) ?? '', /^2027-03-01 00:00/)
    assert.match((await renews('2027-03-01T00:00:00+02:00')) ?? '', /^2027-02-28 22:00/)
    assert.strictEqual(await renews(null), undefined)
  })

  test('is a failure if the renewal date could mean different days', async () => {
    for (const renews_at of [1_803_945_600, '2027-03-01 00:00:00', '1.3.2027', false, 0]) {
      const response = () => Response.json({ ...fixture, renews_at })
      const { failures } = await open(`ambiguous ${renews_at}`, response)
      assert.deepEqual([renews_at, failures[0]?.kind], [renews_at, 'section_failed'])
    }
  })

  test('is a failure if the API rejects the token', async () => {
    const { failures } = await open('rejected', () => new Response('', { status: 401 }))
    assert.strictEqual(failures[0]?.kind, 'section_failed')
  })

  test('shows stale content with its time while the API is down', async () => {
    const { now } = Date
    let time = Date.parse('2026-11-21T09:00:00Z')
    Date.now = () => time
    try {
      assert.deepEqual((await open('last-good', found)).failures, [])
      time += 61_000
      const down = () => new Response('', { status: 400 })
      // The first request after a minute starts the refresh, which fails.
      await open('last-good', down)
      const { text } = await open('last-good', down)
      assert.match(text, /Business/)
      assert.match(text, /As of +2026-11-21 09:00/)
    } finally {
      Date.now = now
    }
  })

  test('is not requested without the variables, and the agent sees that', async () => {
    const { text, failures, urls } = await open('unset', found, { ...env, BILLING_API_TOKEN: '' })
    assert.match(text, /Not configured/)
    assert.deepEqual([failures, urls], [[], []])
  })
})
