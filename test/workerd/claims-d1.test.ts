import { beforeAll, describe, expect, test } from 'vitest'
import { CLAIMS_TABLE, d1Claims } from 'sidecard/actions'
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
  beforeAll(async () => {
    await env.ACCOUNTS.prepare(CLAIMS_TABLE).run()
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
