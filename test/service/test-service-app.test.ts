import { describe, expect, it, vi } from 'vitest'
import { card, noAuth, secretHeader, sidecard, text } from 'sidecard'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { createTestService } from 'sidecard/testing'

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
