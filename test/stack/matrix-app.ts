import { Hono } from 'hono'
import { audit, fields, healthCheck, secretHeader, sidecard } from 'sidecard'
import {
  action,
  actions,
  anyAgent,
  CREATE_RECEIPTS_TABLE,
  d1Receipts,
  memoryReceipts,
  numberField,
} from 'sidecard/actions'
import { z } from 'zod/mini'

interface Env {
  readonly SIDECARD_SECRET: string
  readonly PUBLIC_URL: string
  readonly READER: string
  /** On Workers, where each process has its own memory. */
  readonly DB?: any
}

/** Writes a line after the response, as a slow audit log does. */
const writeLater = async (line: string) => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  // oxlint-disable-next-line no-console -- the test reads the output
  console.log(`MATRIX ${line}`)
}

const extend = action<Env>()({
  name: 'extend',
  label: 'Extend',
  input: z.object({ id: z.string() }),
  form: { days: numberField({ label: 'Days', min: 1, max: 30 }) },
  show: () => [],
  run: (ctx, { id }, { days }) => {
    ctx.waitUntil(writeLater(`extended ${id} for ${days} days`))
    return fields({ Extended: `${days} days` })
  },
})

const refund = action<Env>()({
  name: 'refund',
  label: 'Refund',
  input: z.object({ id: z.string() }),
  form: { amount: numberField({ label: 'Amount', min: 1, max: 30 }) },
  summary: (_input, { amount }) => `Refund ${amount} credits`,
  show: () => [],
  run: (_ctx, { id }, { amount }) => fields({ [id]: `${amount} credits refunded` }),
})

const receipts = memoryReceipts()

const sidebar = sidecard<Env>({
  name: 'billing',
  header: { title: 'Billing', icon_url: 'https://example.com/i.png' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  middleware: [
    async (c, next) => {
      if (c.env.READER === 'a middleware' && c.req.method === 'POST') await c.req.parseBody()
      for (const statement of CREATE_RECEIPTS_TABLE.split(';\n')) {
        // oxlint-disable-next-line no-await-in-loop -- the indexes need the table
        await c.env.DB?.prepare(statement).run()
      }
      await next()
    },
  ],
  instrument: audit((record) => writeLater(`audit ${JSON.stringify(record)}`)),
  async fetchData(ctx) {
    const id = ctx.require('account_id')
    if (id === 'acc_slow') {
      // oxlint-disable-next-line no-console -- the test reads the output
      console.log('MATRIX loading')
      await new Promise((resolve) => process.once('SIGTERM', resolve))
    }
    ctx.waitUntil(writeLater(`fetched ${id}`))
    return [...fields({ Account: id }), extend.button({ id }), refund.button({ id })]
  },
  actions: actions<Env>({
    list: [extend, refund],
    publicUrl: (env) => env.PUBLIC_URL,
    secret: () => 'an-action-secret-of-more-than-32-characters',
    signIn: anyAgent(),
    receipts: (env) => (env.DB === undefined ? receipts : d1Receipts(env.DB)),
  }),
})

/** An app with each feature of the matrix, in place of the app of the page. */
export const app = new Hono<{ Bindings: Env }>()
  .route('/health', healthCheck({ sources: { memory: () => true } }))
  .route('/', sidebar)
