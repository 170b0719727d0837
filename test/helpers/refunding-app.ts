import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { audit } from 'sidecard'
import {
  type ActionsOptions,
  postgresReceipts,
  type Receipts,
  sqliteReceipts,
} from 'sidecard/actions'
import { createActionApp, createExtendTrial } from './actions.ts'
import { openD1, type OpenReceipts } from './persisted-d1.ts'

/** The steps of a confirmation at which a process can be killed, in their order. */
export const STEPS = [
  'before list',
  'before begin',
  'after begin',
  'after the audit record',
  'before the effect',
  'after the effect',
  'before settle',
  'after settle',
] as const
export type Step = (typeof STEPS)[number]

/** Opens the receipts in a PostgreSQL server, in a folder of D1, or in a file of SQLite. */
export function openReceipts(url: string): OpenReceipts {
  if (url.startsWith('d1:')) return openD1(url.slice(3))
  if (!url.startsWith('postgres:')) {
    const database = new DatabaseSync(url, { timeout: 5_000 })
    return { receipts: sqliteReceipts(database), close: async () => database.close() }
  }
  const pool = new pg.Pool({ connectionString: url })
  pool.on('error', () => undefined)
  const receipts = postgresReceipts((text, values) => pool.query(text, values))
  return { receipts, close: () => pool.end() }
}

/** The effects of an app: one line in a file for each, which no crash takes back. */
export function createEffects(file: string) {
  writeFileSync(file, '')
  const count = () => readFileSync(file, 'utf8').split('\n').length - 1
  return { file, count }
}

/** Creates an app whose action writes a line, and whose agents are named by a header. */
export function createRefundingApp(
  store: Receipts,
  file: string,
  {
    dieAt,
    kill,
    run = () => undefined,
  }: {
    dieAt?: Step | undefined
    kill?: OpenReceipts['kill']
    run?: (() => unknown) | undefined
  } = {},
) {
  const reach = async (step: Step): Promise<void> => {
    if (step !== dieAt) return
    await kill?.()
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => undefined)
  }
  const receipts: Receipts = {
    ...store,
    async list(...keys) {
      await reach('before list')
      return store.list(...keys)
    },
    async begin(...args) {
      await reach('before begin')
      const begun = await store.begin(...args)
      await reach('after begin')
      return begun
    },
    async settle(receipt) {
      await reach('before settle')
      const result = await store.settle(receipt)
      await reach('after settle')
      return result
    },
  }
  const refund = createExtendTrial({
    async run() {
      await reach('before the effect')
      appendFileSync(file, 'effect\n')
      await reach('after the effect')
      return run()
    },
  })
  const signIn: ActionsOptions<object>['signIn'] = (c) => {
    const id = c.req.header('x-agent') ?? 'agent-0'
    return { id, email: `${id}@acme.example`, groups: [] }
  }
  const instrument = audit((record) =>
    record.outcome === 'started' ? reach('after the audit record') : undefined,
  )
  return createActionApp(refund, { receipts, signIn }, { instrument })
}
