import { describe, expect, test } from 'vitest'
import { d1Claims } from 'sidecard/actions'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../helpers/actions.ts'
import { testClaims } from '../helpers/claims.ts'

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { env } = (await import(MODULE)) as { readonly env: { readonly ACCOUNTS: any } }

describe('d1Claims on a real D1', () => {
  test('a database without the table gets it, even from concurrent claims', async () => {
    await env.ACCOUNTS.prepare('DROP TABLE IF EXISTS sidecard_claims').run()
    const until = Date.now() / 1_000 + 60
    const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`)
    const claims = () => d1Claims(env.ACCOUNTS)
    const results = await Promise.all(
      owners.map(async (owner) => claims().claim('new', owner, until)),
    )
    expect(results.filter((result) => result === 'claimed')).toHaveLength(1)
  })

  test('another error of the database is not a claim', async () => {
    const broken = { prepare: () => env.ACCOUNTS.prepare('SELECT nonsense') }
    await expect(d1Claims(broken).claim('x', 'y', Date.now())).rejects.toThrow('no such column')
  })

  testClaims(() => d1Claims(env.ACCOUNTS))

  test('an action runs once under 50 concurrent confirmations', async () => {
    const extendTrial = createExtendTrial()
    const app = createActionApp(extendTrial, { claims: () => d1Claims(env.ACCOUNTS) })
    const [link] = await readLinks(app)
    const page = await openPage(app, link!)
    const results = await Promise.all(Array.from({ length: 50 }, () => confirmPage(app, page)))
    expect(app.journal.runs).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  })
})
