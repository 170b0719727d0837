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

  /** Two apps, as in two processes, whose agents are named by a header. */
  function createApps() {
    const extendTrial = createExtendTrial()
    const signIn = (c: any) => ({ id: c.req.header('x-agent') ?? 'agent-0' })
    const options = { receipts: () => d1Receipts(env.ACCOUNTS), signIn }
    const apps = [createActionApp(extendTrial, options), createActionApp(extendTrial, options)]
    const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
    const open = async (agent: string) => {
      const [link] = await readLinks(apps[0]!, path)
      return openPage(apps[0]!, link!, { headers: { 'x-agent': agent } })
    }
    const confirm = async (page: object, index: number, agent: string) => {
      const headers = { 'sec-fetch-site': 'same-origin', 'x-agent': agent }
      return (await confirmPage(apps[index % 2]!, page as never, undefined, headers)).outcome
    }
    return { runs: extendTrial.journal.runs, open, confirm }
  }

  test('two apps that get 40 POSTs of one form cause one effect', async () => {
    const { runs, open, confirm } = createApps()
    const page = await open('agent-0')
    const sent = Array.from({ length: 40 }, (_, index) => confirm(page, index, 'agent-0'))
    const outcomes = await Promise.all(sent)
    expect(runs).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'already_done')).toHaveLength(39)
  })

  test('12 agents who confirm 12 links of one action cause one effect', async () => {
    const { runs, open, confirm } = createApps()
    const agents = Array.from({ length: 12 }, (_, index) => `agent-${index}`)
    const pages = await Promise.all(agents.map((agent) => open(agent)))
    const sent = pages.map((page, index) => confirm(page, index, agents[index]!))
    const outcomes = await Promise.all(sent)
    expect(runs).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  })
})
