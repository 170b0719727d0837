import { describe, expect, it } from 'vitest'
import { desk, DEFAULT_IDS } from 'sidecard/testing'

const payload = {
  version: '1.0.0',
  header: { title: 'Plan' },
  components: [{ type: 'text', label: 'Plan', value: 'Gold' }],
}

/** An endpoint without a framework, which shows what it was asked and given. */
function app(answer: unknown = payload) {
  const asked: Array<Record<string, string>> = []
  return {
    asked,
    fetch(request: Request, env?: { SECRET: string }) {
      if (env !== undefined && request.headers.get('x-key') !== env.SECRET) {
        return new Response('no', { status: 401 })
      }
      const query = Object.fromEntries(new URL(request.url).searchParams)
      asked.push(query)
      return Response.json(query['request_type'] === 'verify' ? { code: query['code'] } : answer)
    },
  }
}

describe('the desk', () => {
  it('connects, opens an issue with the contract’s parameters, and disconnects', async () => {
    const endpoint = app()
    const agent = desk(endpoint)
    expect(agent.state).toBe('disconnected')
    await agent.connect()
    expect(agent.state).toBe('connected')
    const opened = await agent.openIssue({ account_id: 'acme', requester_email: undefined })
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
    agent.disconnect()
    expect(agent.state).toBe('disconnected')
  })

  it('opens no issue before a handshake succeeded, nor after a disconnection', async () => {
    const agent = desk(app())
    await expect(agent.openIssue()).rejects.toMatchObject({ code: 'not_connected' })
    await agent.connect()
    agent.disconnect()
    await expect(agent.openIssue()).rejects.toMatchObject({ code: 'not_connected' })
  })

  it('is unverified after a handshake that failed, and connected after a retry', async () => {
    const endpoint = app()
    const env = { SECRET: 'right' }
    const headers = { 'x-key': 'wrong' }
    const agent = desk(endpoint, { env, headers })
    expect(await agent.connect()).toMatchObject({ ok: false, reason: 'status' })
    expect(agent.state).toBe('unverified')
    headers['x-key'] = 'right'
    expect(await agent.connect()).toMatchObject({ ok: true, form: 'json' })
    expect(agent.state).toBe('connected')
  })

  it('does not count a handshake that ends after a disconnection', async () => {
    const agent = desk(app())
    const late = agent.connect()
    agent.disconnect()
    await late
    expect(agent.state).toBe('disconnected')
  })

  it('waits for the work that the app leaves for later', async () => {
    let done = false
    const endpoint = app()
    const agent = desk({
      fetch(request: Request, _env?: unknown, context?: { waitUntil(p: Promise<unknown>): void }) {
        context?.waitUntil(Promise.resolve().then(() => (done = true)))
        return endpoint.fetch(request)
      },
    })
    await agent.connect()
    expect(done).toBe(true)
  })

  it('tells the error state of an unknown component from other faults', async () => {
    const unknown = desk(app({ ...payload, components: [{ type: 'txt' }] }))
    await unknown.connect()
    const first = await unknown.openIssue()
    expect(first.payload).toBeUndefined()
    expect(first.text).toBe('(error state: components[0].type: the type "txt" is not recognized)\n')
    expect(first.result.outcome).toBe('unknown_component')
    expect(first.findings).toEqual([
      {
        rule: 'component-type',
        level: 'MUST',
        path: 'components[0].type',
        message: 'the type "txt" is not recognized',
        fix: 'Did you mean "text"?',
      },
    ])
    const wrong = desk(app({ ...payload, header: null }))
    await wrong.connect()
    expect((await wrong.openIssue()).result.outcome).toBe('invalid_payload')
  })
})
