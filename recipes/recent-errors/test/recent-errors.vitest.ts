import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import { describe, expect, test, vi } from 'vitest'
import {
  createSentrySource,
  type ErrorSource,
  type ErrorUser,
  recentErrorsSection,
} from '../src/recent-errors.ts'
import fixture from './fixtures/issues.json' with { type: 'json' }

// Some tests cause failures, which the app logs.
vi.spyOn(console, 'error').mockReturnValue()

/** Opens an issue of a user, with errors from a source. */
function open(user: ErrorUser, source: ErrorSource) {
  const app = sidecard({
    header: { title: 'Errors' },
    auth: noAuth(),
    fetchData: () => [recentErrorsSection(user, source)],
  })
  return createTestService(app).openIssue()
}

/** Creates an error tracker with a fixed response that records its requests. */
function createTracker(respond: () => Response) {
  const requests: Array<{ readonly url: URL; readonly authorization: string | null }> = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const { url, headers } = new Request(input, init)
    requests.push({ url: new URL(url), authorization: headers.get('authorization') })
    return respond()
  }
  const source = createSentrySource({
    baseUrl: 'https://errors.example.com/',
    organization: 'shop',
    token: 't0ken',
    fetch,
  })
  return { source, requests }
}

const found = () => Response.json(fixture)

describe('the recent errors', () => {
  test('are listed with their count, time and link', async () => {
    const { source, requests } = createTracker(found)
    const { text, findings, failures } = await open({ id: 'user_1' }, source)
    expect(text).toContain('TypeError: cart')
    expect(text).toMatch(/Error 2 +Payment declined/)
    expect(text).toContain('2026-11-20 22:14')
    expect(failures).toEqual([])
    expect(findings).toEqual([])
    expect(requests).toHaveLength(1)
    const [{ url, authorization } = {}] = requests
    expect(authorization).toBe('Bearer t0ken')
    expect(url?.pathname).toBe('/api/0/organizations/shop/issues/')
    expect(url?.searchParams.get('query')).toBe('user.id:"user_1"')
  })

  test('are searched by email if there is no ID, and without wildcards', async () => {
    const { source, requests } = createTracker(found)
    await open({ email: 'a*"b@example.com' }, source)
    expect(requests[0]?.url.searchParams.get('query')).toBe(
      String.raw`user.email:"a\*\"b@example.com"`,
    )
  })

  test('may be empty', async () => {
    const { source } = createTracker(() => Response.json([]))
    expect((await open({ id: 'none' }, source)).text).toMatch(/Errors +None/)
  })

  test('are not shown for an issue without a user', async () => {
    const { source, requests } = createTracker(found)
    expect((await open({}, source)).payload?.components).toEqual([])
    expect(requests).toEqual([])
  })

  test('can come from your own table', async () => {
    const rows = [{ title: 'Import failed', count: 3, lastSeen: '2026-11-20T22:14:09Z' }]
    const { text } = await open({ id: 'table' }, async () => rows)
    expect(text).toMatch(/Error 1 +Import failed \(3 times\)/)
  })
})

describe('a failure', () => {
  test.each([
    ['the token is rejected', () => new Response('', { status: 401 })],
    ['the server is down', () => new Response('', { status: 503 })],
    ['the response has another shape', () => Response.json({ detail: 'no' })],
  ])('is reported if %s', async (name, respond) => {
    const { failures, text } = await open({ id: name }, createTracker(respond).source)
    expect(failures).toMatchObject([{ kind: 'section_failed', section: 'Recent errors' }])
    expect(text).not.toContain('t0ken')
  })
})
