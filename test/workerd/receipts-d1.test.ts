import { describe, expect, test } from 'vitest'
import { d1Receipts } from 'sidecard/actions'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  openPage,
  readLinks,
} from '../helpers/actions.ts'
import { createReceipt, testReceipts } from '../helpers/receipts.ts'

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { env } = (await import(MODULE)) as { readonly env: { readonly ACCOUNTS: any } }

describe('d1Receipts on a real D1', () => {
  test('a database without the table gets it, even from concurrent confirmations', async () => {
    await env.ACCOUNTS.prepare('DROP TABLE IF EXISTS sidecard_receipts').run()
    const { actionKey } = createReceipt()
    const all = Array.from({ length: 20 }, () => createReceipt({ actionKey }))
    const begun = all.map(async (one) => d1Receipts(env.ACCOUNTS).begin(one, 1))
    expect((await Promise.all(begun)).filter(Boolean)).toEqual([true])
  })

  test('another error of the database is not a receipt', async () => {
    const broken = { prepare: () => env.ACCOUNTS.prepare('SELECT nonsense') }
    await expect(d1Receipts(broken).begin(createReceipt(), 1)).rejects.toThrow('no such column')
  })

  testReceipts(() => d1Receipts(env.ACCOUNTS))

  test('an action runs once under 50 concurrent confirmations', async () => {
    const extendTrial = createExtendTrial()
    const app = createActionApp(extendTrial, { receipts: () => d1Receipts(env.ACCOUNTS) })
    const [link] = await readLinks(app)
    const page = await openPage(app, link!)
    const results = await Promise.all(Array.from({ length: 50 }, () => confirmPage(app, page)))
    expect(app.journal.runs).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  })
})
