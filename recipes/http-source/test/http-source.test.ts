import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import {
  createHttpSource,
  type HttpSource,
  httpSource,
  subscriptionSection,
} from '../src/http-source.ts'
import fixture from './fixtures/subscription.json' with { type: 'json' }

const found = () => Response.json(fixture)
const unavailable = () => new Response('', { status: 503 })

/**
 * Creates a source whose API returns the responses in order, and then repeats the
 * last one.
 */
function createSource(...responses: ReadonlyArray<() => Response>) {
  const urls: string[] = []
  const fetch = async (url: string | URL | Request) => {
    urls.push(url instanceof Request ? url.url : String(url))
    return (responses[urls.length - 1] ?? responses.at(-1) ?? unavailable)()
  }
  const source = createHttpSource({ baseUrl: 'https://billing.example.com', token: 't', fetch })
  return { source, urls }
}

function createService(accountId: string, source: HttpSource | undefined) {
  const app = sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    // Some tests cause failures.
    logger: false,
    fetchData: () => [subscriptionSection(accountId, source)],
  })
  return createTestService(app)
}

/** Opens an issue of a customer. */
async function open(accountId: string, ...responses: ReadonlyArray<() => Response>) {
  const { source, urls } = createSource(...responses)
  return { ...(await createService(accountId, source).openIssue()), urls }
}

/** Calls a source that fails. */
async function callFailing(source: HttpSource, signal = new AbortController().signal) {
  const result = await source('any', signal).catch((error: unknown) => error)
  assert.ok(result instanceof Error)
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
    assert.strictEqual(urls.length, 2)
  })

  test('says that a customer has none', async () => {
    const { text } = await open('none', () => new Response('', { status: 404 }))
    assert.match(text, /None/)
  })

  test('is a failure without a retry if the response violates the schema', async () => {
    const { urls, failures } = await open('invalid', () => Response.json({ plan: 1 }))
    assert.deepEqual(
      failures.map(({ kind, section }) => [kind, section]),
      [['section_failed', 'Subscription']],
    )
    assert.strictEqual(urls.length, 1)
  })

  test('is a failure if the API stays unavailable', async () => {
    const { urls, failures } = await open('down', unavailable)
    assert.strictEqual(failures[0]?.kind, 'section_failed')
    assert.strictEqual(urls.length, 3)
  })

  test('shows stale content with its time while the API is down', async () => {
    const { now } = Date
    let time = Date.parse('2026-11-21T09:00:00Z')
    Date.now = () => time
    try {
      const service = createService('last-good', createSource(found, unavailable).source)
      assert.deepEqual((await service.openIssue()).failures, [])
      time += 61_000
      // The first request after a minute starts the refresh, which fails.
      await service.openIssue()
      const { text } = await service.openIssue()
      assert.match(text, /Business/)
      assert.match(text, /As of +2026-11-21 09:00/)
    } finally {
      Date.now = now
    }
  })

  test('is not requested after five consecutive failures of the API', async () => {
    const { source, urls } = createSource(unavailable)
    for (let index = 0; index < 3; index += 1) await callFailing(source)
    assert.strictEqual(urls.length, 5)
  })

  test('is not retried after the signal aborts', async () => {
    const controller = new AbortController()
    const { source, urls } = createSource(() => {
      controller.abort()
      return unavailable()
    })
    await callFailing(source, controller.signal)
    assert.strictEqual(urls.length, 1)
  })
})

describe('the source of an environment', () => {
  const variables = { BILLING_API_URL: 'https://billing.example.com', BILLING_API_TOKEN: 't' }

  test('is shared by its requests, so that the circuit breaker can open', () => {
    const env = { ...variables }
    assert.ok(httpSource(env) !== undefined)
    assert.strictEqual(httpSource(env), httpSource(env))
    assert.ok(httpSource(env) !== httpSource({ ...variables }))
  })

  test('is absent without the variables, and the agent sees that', async () => {
    const source = httpSource({ ...variables, BILLING_API_TOKEN: '' })
    assert.strictEqual(source, undefined)
    const { text, failures } = await createService('unset', source).openIssue()
    assert.match(text, /Not configured/)
    assert.deepEqual(failures, [])
  })
})
