import { describe, expect, it } from 'vitest'
import { createTestService } from 'sidecard/testing'
import { DEFAULT_IDS } from '../../../src/tools/service/testing/test-service.ts'
import type { ExecutionContext } from '../../../src/tools/service/testing/in-process.ts'

const payload = {
  version: '1.0.0',
  header: { title: 'Plan' },
  components: [{ type: 'text', label: 'Plan', value: 'Gold' }],
}

/** An endpoint without a framework, which shows its request and bindings. */
function app(answer: unknown = payload) {
  const asked: Array<Record<string, string>> = []
  return {
    asked,
    fetch(request: Request, env?: { SECRET: string }) {
      if (env?.SECRET !== undefined && request.headers.get('x-key') !== env.SECRET) {
        return new Response('no', { status: 401 })
      }
      const query = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(query)
      return Response.json(query['request_type'] === 'verify' ? { code: query['code'] } : answer)
    },
  }
}

describe('the test service', () => {
  it('connects, opens an issue with the contract’s parameters, and disconnects', async () => {
    const endpoint = app()
    const service = createTestService(endpoint)
    expect(service.state).toBe('disconnected')
    await service.connect()
    expect(service.state).toBe('connected')
    const opened = await service.openIssue({ account_id: 'acme', requester_email: undefined })
    expect(opened.payload).toEqual(payload)
    expect(opened.findings).toEqual([])
    expect(opened.text).toMatchInlineSnapshot(`
      "Plan

      Plan  Gold
      "
    `)
    const { requester_email: _, ...ids } = DEFAULT_IDS
    expect(endpoint.asked).toEqual([
      { request_type: 'verify', code: 'code-1' },
      { request_type: 'fetch_data', ...ids, account_id: 'acme' },
    ])
    service.disconnect()
    expect(service.state).toBe('disconnected')
  })

  it('connects before it opens an issue, including after a disconnection', async () => {
    const endpoint = app()
    const service = createTestService(endpoint)
    expect((await service.openIssue()).outcome).toBe('rendered')
    expect(service.state).toBe('connected')
    await service.openIssue()
    service.disconnect()
    await service.openIssue()
    expect(endpoint.asked.map((query) => query['request_type'])).toEqual([
      'verify',
      'fetch_data',
      'fetch_data',
      'verify',
      'fetch_data',
    ])
  })

  it('explains why it does not call an unverified app, without naming flags', async () => {
    const service = createTestService(app(), { env: { SECRET: 'right' } })
    const error = await service.openIssue().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'not_connected' })
    expect(String(error)).toContain('returned 401: a required header is missing or wrong')
    expect(String(error)).toContain('headers')
    expect(String(error)).not.toContain('-H')
    expect(service.state).toBe('unverified')
  })

  it('is unverified after a failed handshake, and connected after a retry', async () => {
    const endpoint = app()
    const env = { SECRET: 'right' }
    const headers = { 'x-key': 'wrong' }
    const service = createTestService(endpoint, { env, headers })
    expect(await service.connect()).toMatchObject({ ok: false, reason: 'status' })
    expect(service.state).toBe('unverified')
    headers['x-key'] = 'right'
    expect(await service.connect()).toMatchObject({ ok: true, form: 'json' })
    expect(service.state).toBe('connected')
  })

  it('ignores a handshake that ends after a disconnection', async () => {
    const service = createTestService(app())
    const late = service.connect()
    service.disconnect()
    await late
    expect(service.state).toBe('disconnected')
  })

  it('waits for background work', async () => {
    let done = false
    const endpoint = app()
    const service = createTestService({
      fetch(request: Request, _env?: unknown, context?: { waitUntil(p: Promise<unknown>): void }) {
        context?.waitUntil(new Promise(setImmediate).then(() => (done = true)))
        return endpoint.fetch(request)
      },
    })
    await service.connect()
    expect(done).toBe(true)
  })

  it('distinguishes the error state of an unknown component from other invalid payloads', async () => {
    const unknown = createTestService(app({ ...payload, components: [{ type: 'txt' }] }))
    const opened = await unknown.openIssue()
    expect(opened.payload).toBeUndefined()
    expect(opened.text).toBe('(error state: components[0].type: "txt" is not a component type)\n')
    expect(opened.outcome).toBe('unknown_component')
    expect(opened.findings).toEqual([
      {
        rule: 'component-type',
        level: 'MUST',
        path: 'components[0].type',
        message: '"txt" is not a component type',
        fix: 'Use "text".',
      },
    ])
    const wrong = createTestService(app({ ...payload, header: null }))
    expect((await wrong.openIssue()).outcome).toBe('invalid_payload')
  })

  it.each<[string, object, string]>([
    ['a misspelled option', { header: {} }, 'there is no option "header". Did you mean headers?'],
    [
      'a timeout of 0',
      { timeoutMs: 0 },
      'timeoutMs must be an integer from 1 to 2147483647 (milliseconds).',
    ],
    ['a width of 19', { width: 19 }, 'width must be an integer from 20 to 1000.'],
    ['an unknown time zone', { timeZone: 'Mars' }, 'timeZone must be an IANA name'],
  ])('rejects %s when it is created', (_name, options, message) => {
    const create = () => createTestService(app(), options)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }))
    expect(create).toThrow(message)
  })

  it('passes the same bindings object on each request, with the test’s changes', async () => {
    const seen = new Set<unknown>()
    const plans: unknown[] = []
    const endpoint = app()
    const env = { PLAN: 'Gold' }
    const target = {
      fetch(request: Request, bindings: { PLAN: string }) {
        seen.add(bindings)
        plans.push(bindings.PLAN)
        return endpoint.fetch(request)
      },
    }
    const service = createTestService(target, { env })
    await service.connect()
    env.PLAN = 'Silver'
    await service.connect()
    expect(plans).toEqual(['Gold', 'Silver'])
    expect(seen.size).toBe(1)
    // Apps cache by the identity of their bindings, as on Workers.
    await createTestService(target, { env }).connect()
    expect(seen.size).toBe(1)
    await createTestService(target, { env: { ...env } }).connect()
    expect(seen.size).toBe(2)
  })

  it('performs one handshake for concurrent first calls', async () => {
    const endpoint = app()
    const service = createTestService(endpoint)
    await Promise.all([service.openIssue(), service.openIssue(), service.openIssue()])
    const types = endpoint.asked.map(({ request_type: type }) => type)
    expect(types).toEqual(['verify', 'fetch_data', 'fetch_data', 'fetch_data'])
    service.disconnect()
    await Promise.all([service.openIssue(), service.openIssue()])
    expect(endpoint.asked.filter(({ code }) => code !== undefined)).toHaveLength(2)
  })

  it('tries the handshake again after concurrent first calls have failed', async () => {
    let isUp = false
    const endpoint = app()
    const target = {
      fetch: (request: Request) =>
        isUp ? endpoint.fetch(request) : new Response('', { status: 503 }),
    }
    const service = createTestService(target)
    const results = await Promise.allSettled([service.openIssue(), service.openIssue()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isUp = true
    expect(await service.connect()).toMatchObject({ ok: true })
  })

  it('does not wait for background work longer than for a response', async () => {
    let isDone = false
    const target = {
      fetch(request: Request, _env: unknown, context: ExecutionContext) {
        context.waitUntil(new Promise(() => undefined))
        // Background work that starts more of it is awaited.
        context.waitUntil(
          Promise.resolve().then(() =>
            context.waitUntil(Promise.resolve().then(() => (isDone = true))),
          ),
        )
        return app().fetch(request)
      },
    }
    const service = createTestService(target, { timeoutMs: 20 })
    expect((await service.openIssue()).outcome).toBe('rendered')
    expect(isDone).toBe(true)
  })
})
