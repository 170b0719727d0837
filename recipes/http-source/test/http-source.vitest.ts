import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { describe, expect, test, vi } from 'vitest'
import { createHttpSource, subscriptionSection } from '../src/http-source.ts'
import fixture from './fixtures/subscription.json' with { type: 'json' }

const found = () => Response.json(fixture)
const unavailable = () => new Response('', { status: 503 })

// Some tests cause failures, which the app logs.
vi.spyOn(console, 'error').mockReturnValue()
vi.spyOn(console, 'warn').mockReturnValue()

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
    expect(text).toContain('Business')
    expect(text).toContain('25')
    expect(text).toMatch(/past_due/i)
    expect(failures).toEqual([])
    expect(urls).toEqual(['https://billing.example.com/accounts/acc%2F1/subscription'])
  })

  test('is retried while the API is unavailable', async () => {
    const { text, urls } = await open('retried', unavailable, found)
    expect(text).toContain('Business')
    expect(urls).toHaveLength(2)
  })

  test('says that a customer has none', async () => {
    expect((await open('none', () => new Response('', { status: 404 }))).text).toContain('None')
  })

  test('is a failure without a retry if the response violates the schema', async () => {
    const { urls, failures } = await open('invalid', () => Response.json({ plan: 1 }))
    expect(failures).toMatchObject([{ kind: 'section_failed', section: 'Subscription' }])
    expect(urls).toHaveLength(1)
  })

  test('is a failure if the API stays unavailable', async () => {
    const { urls, failures } = await open('down', unavailable)
    expect(failures[0]?.kind).toBe('section_failed')
    expect(urls).toHaveLength(3)
  })

  test('shows stale content with its time while the API is down', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T09:00:00Z') })
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
      expect((await service.openIssue()).failures).toEqual([])
      respond = unavailable
      vi.setSystemTime(new Date('2026-11-21T09:01:01Z'))
      // The first request after a minute starts the refresh, which fails.
      await service.openIssue()
      const { text } = await service.openIssue()
      expect(text).toMatch(/Business/)
      expect(text).toMatch(/As of +2026-11-21 09:00/)
    } finally {
      vi.useRealTimers()
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
      await expect(source('any', new AbortController().signal)).rejects.toThrow(/503|breaker/)
    }
    expect(count).toBe(5)
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
    await expect(source('any', controller.signal)).rejects.toThrow(/503|abort/i)
    expect(count).toBe(1)
  })
})
