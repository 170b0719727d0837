import { describe, expect, it } from 'vitest'
import { card, secretHeader, sidecard, text } from 'sidecard'
import { desk } from 'sidecard/testing'

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

describe('the desk with a Sidecard app', () => {
  it('connects with the secret of the environment and reads the widget', async () => {
    const agent = desk(app, { env, headers: { 'x-sidecard-secret': env.SECRET } })
    expect(await agent.connect()).toMatchObject({ ok: true })
    const { findings, text: shown } = await agent.openIssue({ account_id: 'acme' })
    expect(findings).toEqual([])
    expect(shown).toMatchInlineSnapshot(`
      "Billing

      ╭─ Plan ───────────────────────────────────╮
      │ Account  acme                            │
      ╰──────────────────────────────────────────╯
      "
    `)
  })

  it('stays unverified without it', async () => {
    const agent = desk(app, { env })
    expect(await agent.connect()).toMatchObject({ ok: false, reason: 'status' })
    expect(agent.state).toBe('unverified')
  })
})
