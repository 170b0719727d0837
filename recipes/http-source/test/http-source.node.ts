import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, mock, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { createHttpSource, subscriptionSection } from '../src/http-source.ts'

const fixture = await readFile(new URL('fixtures/subscription.json', import.meta.url), 'utf8')
const found = () => new Response(fixture)
const unavailable = () => new Response('', { status: 503 })

// Some tests cause failures, which the app logs.
mock.method(console, 'error', () => undefined)
mock.method(console, 'warn', () => undefined)

/**
 * Opens an issue of a customer. The API returns the responses in order, and then
 * repeats the last one.
 */
async function open(accountId: string, ...responses: readonly (() => Response)[]) {
  const urls: string[] = []
  const fetch = async (url: string | URL | Request) => {
    urls.push(url instanceof Request ? url.url : String(url))
    return (responses[urls.length - 1] ?? responses.at(-1) ?? unavailable)()
  }
  const source = createHttpSource({ baseUrl: 'https://billing.example.com', token: 't', fetch })
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    fetchData: () => [subscriptionSection(accountId, source)],
  })
  return { ...(await createTestService(app).openIssue({ account_id: accountId })), urls }
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

  test('is retried while the API is unavailable', async () => {
    const { text, urls } = await open('retried', unavailable, found)
    assert.match(text, /Business/)
    assert.equal(urls.length, 2)
  })

  test('says that a customer has none', async () => {
    const { text } = await open('none', () => new Response('', { status: 404 }))
    assert.match(text, /None/)
  })

  test('is a failure without a retry if the response violates the schema', async () => {
    const { urls, failures } = await open('invalid', () => new Response('{"plan": 1}'))
    assert.deepEqual(
      failures.map(({ kind, section }) => [kind, section]),
      [['section_failed', 'Subscription']],
    )
    assert.equal(urls.length, 1)
  })

  test('is a failure if the API stays unavailable', async () => {
    const { urls, failures } = await open('down', unavailable)
    assert.equal(failures[0]?.kind, 'section_failed')
    assert.equal(urls.length, 3)
  })

  test('shows stale content with its time while the API is down', async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-21T09:00:00Z') })
    try {
      let respond = found
      const fetch = async () => respond()
      const source = createHttpSource({ baseUrl: 'https://billing.example.com', token: 't', fetch })
      const service = createTestService(
        sidecard({
          header: { title: 'Billing' },
          auth: noAuth(),
          fetchData: () => [subscriptionSection('last-good', source)],
        }),
      )
      assert.deepEqual((await service.openIssue()).failures, [])
      respond = unavailable
      mock.timers.tick(61_000)
      // The first request after a minute starts the refresh, which fails.
      await service.openIssue()
      const { text } = await service.openIssue()
      assert.match(text, /Business/)
      assert.match(text, /As of +2026-11-21 09:00/)
    } finally {
      mock.timers.reset()
    }
  })

  test('is not requested after five consecutive failures of the API', async () => {
    let count = 0
    const fetch = async () => {
      count += 1
      return unavailable()
    }
    const source = createHttpSource({ baseUrl: 'https://billing.example.com', token: 't', fetch })
    for (let index = 0; index < 3; index += 1) {
      await assert.rejects(source('any', new AbortController().signal))
    }
    assert.equal(count, 5)
  })

  test('is not retried after the signal aborts', async () => {
    const controller = new AbortController()
    let count = 0
    const fetch = async () => {
      count += 1
      controller.abort()
      return unavailable()
    }
    const source = createHttpSource({ baseUrl: 'https://billing.example.com', token: 't', fetch })
    await assert.rejects(source('any', controller.signal))
    assert.equal(count, 1)
  })
})
