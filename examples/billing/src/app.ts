import { badge, button, calendarDate, card, dateTime, fields, identify, money } from 'sidecard'
import { secretHeader, section, sidecard, status, text } from 'sidecard'
import { actions, postgresReceipts, trustedHeader } from 'sidecard/actions'
import { extendTrial } from './extend-trial.ts'
import * as accounts from './sources/accounts.ts'
import type { Env } from './sources/env.ts'
import { errorsCache, recentErrors } from './sources/recent-errors.ts'
import { telemetry, traceRequests } from './telemetry.ts'

const COLORS = { active: 'green', past_due: 'orange', Paid: 'green', Open: 'red' } as const

/** The sidebar of an issue: the account, its last five invoices and its recent errors. */
export const app = sidecard<Env>({
  name: 'billing',
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', { binding: 'SIDECARD_SECRET' }),
  middleware: [traceRequests],
  instrument: telemetry,
  actions: actions({
    list: [extendTrial],
    publicUrl: ({ PUBLIC_URL }) => PUBLIC_URL,
    secret: { binding: 'SIDECARD_ACTION_SECRET' },
    signIn: trustedHeader('x-auth-request-email'),
    receipts: ({ DB }) => postgresReceipts((sql, values) => DB.query(sql, values)),
  }),
  async fetchData(ctx) {
    const { DB, ERRORS_URL } = ctx.env
    const lookups = {
      account_id: (id: string) => accounts.findById(DB, id),
      requester_email: (email: string) => accounts.findByEmail(DB, email),
      email_domain: (domain: string) => accounts.findByDomain(DB, domain),
    }
    const { value: account, via } = await identify(ctx, lookups, {
      id: ({ id }) => id,
      describe: ({ name }) => name,
    })
    const errorsOptions = { timeoutMs: 1_500, cache: errorsCache }
    return [
      overview(account, via === 'account_id'),
      section('Last invoices', () => invoices(DB, account.id), { timeoutMs: 1_500 }),
      section('Recent errors', (signal) => errors(ERRORS_URL, account.id, signal), errorsOptions),
    ]
  },
})

function overview(account: accounts.Account, isExact: boolean) {
  const { name, plan, seats, mrr_minor, currency, renews_on, trial_ends_on, admin_url } = account
  return card({
    header: { title: name },
    components: [
      ...fields({ Plan: plan, Seats: seats, MRR: money(mrr_minor, currency) }),
      ...fields({ Renews: renews_on && calendarDate(renews_on) }),
      badge({ label: 'Status', items: [status(account.status, COLORS)] }),
      // Only the account ID is an exact match. An email may belong to another customer.
      isExact && trial_ends_on && extendTrial.button({ accountId: account.id }),
      isExact
        ? button({ label: 'Open in admin', url: admin_url })
        : badge({ label: 'Matched by', items: [{ value: 'Email', color: 'orange' }] }),
    ],
  })
}

async function invoices(db: Env['DB'], id: string) {
  const latest = await accounts.lastInvoices(db, id)
  if (latest.length === 0) return text({ label: 'Invoices', value: 'None yet' })
  return latest.map(({ number, total_minor, currency, paid_on }) => {
    const total = { value: money(total_minor, currency), color: 'blue' } as const
    return badge({ label: number, items: [total, status(paid_on ? 'Paid' : 'Open', COLORS)] })
  })
}

async function errors(baseUrl: string, id: string, signal: AbortSignal) {
  const latest = await recentErrors(baseUrl, id, signal)
  if (latest.length === 0) return text({ label: 'Errors', value: 'None in the last 24 hours' })
  return latest.map(({ message, occurred_at: value }) => dateTime({ label: message, value }))
}
