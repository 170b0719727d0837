import { describe, expect, it, vi } from 'vitest'
import { card, noAuth, secretHeader, section, sidecard, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { createTestService, type TestApp } from 'sidecard/testing'
import { Hono } from 'hono'
import * as z from 'zod'

interface Env {
  readonly SECRET: string
}

const app = sidecard<{ Bindings: Env }>({
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', (env: Env) => env.SECRET),
  logger: false,
  fetchData: (ctx) => [
    card({
      header: { title: 'Plan' },
      components: [text({ label: 'Account', value: ctx.require('account_id') })],
    }),
  ],
})

const env = { SECRET: 'a-long-enough-secret' }

describe('the test service with a Sidecard app', () => {
  it('connects with the secret and renders the widget', async () => {
    const service = createTestService(app, { env, headers: { 'x-sidecard-secret': env.SECRET } })
    expect(await service.connect()).toMatchObject({ ok: true })
    const { findings, text: shown } = await service.openIssue({ account_id: 'acme' })
    expect(findings).toEqual([])
    expect(shown).toMatchInlineSnapshot(`
      "Billing

      ╭─ Plan ───────────────────────────────────╮
      │ Account  acme                            │
      ╰──────────────────────────────────────────╯
      "
    `)
  })

  it.each([
    ['an app', (billing: TestApp) => billing],
    ['a mounted app', (billing: TestApp) => new Hono().route('/', billing as never)],
  ])('names the binding that %s is missing', async (_name, mount) => {
    const bindings = z.object({ BILLING_API_URL: z.url(), SECRET: z.string() })
    const billing = sidecard(bindings, {
      header: { title: 'Billing' },
      auth: noAuth(),
      logger: false,
      fetchData: () => [],
    })
    const create = (vars: object) => createTestService(mount(billing), { env: vars as never })
    const service = create({ SECRET: 'canary-4711' })
    const message =
      'The handshake failed: returned 500, expected 200: "The log lists the bindings.". The binding BILLING_API_URL is missing. Pass the bindings in the option env. Then call connect() to retry.'
    await expect(service.openIssue()).rejects.toThrow(message)
    expect(await service.connect()).toMatchObject({
      ok: false,
      fix: 'The binding BILLING_API_URL is missing. Pass the bindings in the option env.',
    })
    const completeEnv = { SECRET: 'canary-4711', BILLING_API_URL: 'https://billing.example.com' }
    expect((await create(completeEnv).openIssue()).outcome).toBe('rendered')
  })

  it('names the secret that is missing', async () => {
    const service = createTestService(app, { headers: { 'x-sidecard-secret': 'a' } })
    await expect(service.openIssue()).rejects.toThrow(/returned 401[^]*x-sidecard-secret/)
  })

  it('shares cached sections with another service only if both have the same env object', async () => {
    let calls = 0
    const cache = sectionCache({ name: 'calls', store: memoryStore(), ttlSeconds: 60 })
    const load = () => text({ label: 'Call', value: String((calls += 1)) })
    const cached = sidecard({
      header: { title: 'Billing' },
      auth: noAuth(),
      logger: false,
      fetchData: () => [section('Calls', load, { cache, key: ['a'] })],
    })
    const shared = {}
    for (const options of [{}, {}, { env: shared }, { env: shared }]) {
      const service = createTestService(cached, options)
      // oxlint-disable-next-line no-await-in-loop -- each service after the one before
      await service.openIssue()
      // oxlint-disable-next-line no-await-in-loop -- as above
      await service.openIssue()
    }
    expect(calls).toBe(3)
  })

  it('accepts Headers wherever it accepts headers', async () => {
    const headers = new Headers({ 'x-sidecard-secret': env.SECRET })
    const service = createTestService(app, { env, headers })
    expect((await service.openIssue()).outcome).toBe('rendered')
    const target = { fetch: (request: Request) => app.fetch(request, env) }
    const report = await check(target, {
      headers,
      only: ['handshake', 'authentication'],
      expectAuth: true,
    })
    expect(report.results.filter(({ status }) => status === 'fail')).toEqual([])
    expect((await check(target, { only: ['handshake'] })).verdict).toBe('violates')
    await using emulator = createEmulator()
    const view = await emulator.apps.create({
      name: 'Billing',
      url: 'http://x.test',
      target,
      headers,
    })
    expect(view.state).toBe('connected')
  })

  it('reports an app that times out by itself, with the default timeouts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const hanging = sidecard({
        header: { title: 'Billing' },
        auth: noAuth(),
        logger: false,
        fetchData: () => new Promise<never>(() => undefined),
      })
      const service = createTestService(hanging)
      await service.connect()
      const opening = service.openIssue()
      await vi.advanceTimersByTimeAsync(5_000)
      const { failures, text: shown } = await opening
      expect(failures).toMatchObject([{ kind: 'timeout', error: { name: 'TimeoutError' } }])
      expect(shown).toContain('This took too long')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is unverified without the secret', async () => {
    const service = createTestService(app, { env })
    expect(await service.connect()).toMatchObject({ ok: false, reason: 'status' })
    expect(service.state).toBe('unverified')
  })
})
