import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAuth, sidecard } from 'sidecard'
import { createTestService } from 'sidecard/testing'
import {
  createSentrySource,
  type ErrorSource,
  type ErrorUser,
  recentErrorsSection,
  sentrySource,
} from '../src/recent-errors.ts'
import fixture from './fixtures/issues.json' with { type: 'json' }

/** Opens an issue of a user, with errors from a source. */
function open(user: ErrorUser, source: ErrorSource | undefined) {
  const app = sidecard({
    header: { title: 'Errors' },
    auth: noAuth(),
    // Some tests cause failures.
    logger: false,
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
    assert.match(text, /TypeError: cart/)
    assert.match(text, /Error 2 +Payment declined/)
    assert.match(text, /2026-11-20 22:14/)
    assert.deepEqual(failures, [])
    assert.deepEqual(findings, [])
    assert.strictEqual(requests.length, 1)
    const [{ url, authorization } = {}] = requests
    assert.strictEqual(authorization, 'Bearer t0ken')
    assert.strictEqual(url?.pathname, '/api/0/organizations/shop/issues/')
    assert.strictEqual(url?.searchParams.get('query'), 'user.id:"user_1"')
  })

  test('are searched by email if there is no ID, and without wildcards', async () => {
    const { source, requests } = createTracker(found)
    await open({ email: 'a*"b@example.com' }, source)
    assert.strictEqual(
      requests[0]?.url.searchParams.get('query'),
      String.raw`user.email:"a\*\"b@example.com"`,
    )
  })

  test('are a failure if the time of an error could mean different times', async () => {
    for (const lastSeen of [1_803_945_600, '2027-03-01', '2027-03-01 00:00:00', false, 0, null]) {
      const { source } = createTracker(() => Response.json([{ ...fixture[0], lastSeen }]))
      const { failures } = await open({ id: `at ${lastSeen}` }, source)
      assert.deepEqual([lastSeen, failures[0]?.kind], [lastSeen, 'section_failed'])
    }
  })

  test('may be empty', async () => {
    const { source } = createTracker(() => Response.json([]))
    assert.match((await open({ id: 'none' }, source)).text, /Errors +None/)
  })

  test('are not shown for an issue without a user', async () => {
    const { source, requests } = createTracker(found)
    assert.deepEqual((await open({}, source)).payload?.components, [])
    assert.deepEqual(requests, [])
  })

  test('are not requested without the variables, and the agent sees that', async () => {
    const source = sentrySource({ ERRORS_API_URL: 'https://errors.example.com' })
    assert.strictEqual(source, undefined)
    const { text, failures } = await open({ id: 'unset' }, source)
    assert.match(text, /Not configured/)
    assert.deepEqual(failures, [])
  })

  test('can come from your own table', async () => {
    const rows = [{ title: 'Import failed', count: 3, lastSeen: '2026-11-20T22:14:09Z' }]
    const { text } = await open({ id: 'table' }, async () => rows)
    assert.match(text, /Error 1 +Import failed \(3 times\)/)
  })
})

describe('a failure', () => {
  const badResponses: ReadonlyArray<readonly [name: string, respond: () => Response]> = [
    ['the token is rejected', () => new Response('', { status: 401 })],
    ['the server is down', () => new Response('', { status: 503 })],
    ['the response has another shape', () => Response.json({ detail: 'no' })],
  ]
  for (const [name, respond] of badResponses) {
    test(`is reported if ${name}`, async () => {
      const { failures, text } = await open({ id: name }, createTracker(respond).source)
      assert.deepEqual(
        failures.map(({ kind, section }) => [kind, section]),
        [['section_failed', 'Recent errors']],
      )
      assert.ok(!text.includes('t0ken'))
    })
  }
})
