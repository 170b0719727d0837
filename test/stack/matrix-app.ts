import { audit, fields, secretHeader, sidecard } from 'sidecard'
import { action, actions, anyAgent, memoryReceipts, numberField } from 'sidecard/actions'
import { z } from 'zod/mini'

/** Writes a line after the response, as a slow audit log does. */
const writeLater = async (line: string) => {
  await new Promise((resolve) => setTimeout(resolve, 200))
  // oxlint-disable-next-line no-console -- the test reads the output
  console.log(`MATRIX ${line}`)
}

const refund = action<{ PUBLIC_URL: string }>()({
  name: 'refund',
  label: 'Refund',
  input: z.object({ id: z.string() }),
  form: { days: numberField({ label: 'Days', min: 1, max: 30 }) },
  show: () => [],
  run: (ctx, { id }, { days }) => {
    ctx.waitUntil(writeLater(`refunded ${id} for ${days} days`))
    return fields({ Refunded: `${days} days` })
  },
})

/** An app with each feature of the matrix, in place of the app of the page. */
export const app = sidecard<{ SIDECARD_SECRET: string; PUBLIC_URL: string }>({
  name: 'Billing',
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  middleware: [
    async (c, next) => {
      const isReader = process.env['READER'] === 'a middleware'
      if (isReader && c.req.method === 'POST') await c.req.parseBody()
      await next()
    },
  ],
  instrument: audit((record) => writeLater(`audit ${JSON.stringify(record)}`)),
  fetchData: (ctx) => {
    const id = ctx.require('account_id')
    ctx.waitUntil(writeLater(`fetched ${id}`))
    return [...fields({ Plan: 'Pro' }), refund.button({ id })]
  },
  actions: actions({
    list: [refund],
    publicUrl: (env) => env.PUBLIC_URL,
    secret: () => 'an-action-secret-of-more-than-32-characters',
    signIn: anyAgent(),
    receipts: memoryReceipts(),
  }),
})
