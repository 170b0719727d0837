import {
  badge,
  button,
  calendarDate,
  fields,
  identify,
  type IdentifyContext,
  section,
  status,
} from 'sidecard'

const ADMIN_URL = 'https://admin.example.com/accounts'

export interface Account {
  readonly id: string
  readonly name: string
  readonly plan: string
  /** Any text, because there may be new statuses at any time. */
  readonly status: string
  /** A date without a time. */
  readonly renews_on: string | Date | null
}

type Matches = readonly Account[] | Promise<readonly Account[]>

/** The queries of the lookups. Emails and domains are passed in lowercase. */
export interface AccountQueries {
  byId(id: string): Matches
  byEmail(email: string): Matches
  byDomain(domain: string): Matches
}

/**
 * Finds the account of an issue: by its ID, then by the requester's email, then by
 * the domain of the email. If none or several match, the agent sees a card that
 * says so.
 *
 * @example const { value: account, via } = await identifyAccount(ctx, accounts)
 */
export function identifyAccount(ctx: IdentifyContext, accounts: AccountQueries) {
  return identify(
    ctx,
    {
      account_id: (id) => accounts.byId(id),
      requester_email: (email) => accounts.byEmail(email),
      email_domain: (domain) => accounts.byDomain(domain),
    },
    { id: ({ id }) => id, describe: ({ name, plan }) => ({ label: name, value: plan }) },
  )
}

/**
 * Returns the section of an issue's account. If none or several accounts match,
 * only this section says so.
 */
export function accountSection(ctx: IdentifyContext, accounts: AccountQueries) {
  return section('Account', async () => {
    const { value: account, via } = await identifyAccount(ctx, accounts)
    return accountItems(account, via)
  })
}

const STATUS_COLORS = { active: 'green', past_due: 'orange' } as const

/** The content of the section, with the link to the admin page only for an exact match. */
function accountItems({ id, name, plan, renews_on, ...account }: Account, via: string) {
  return [
    ...fields({ Name: name, Plan: plan, Renews: renews_on && calendarDate(renews_on) }),
    badge({ label: 'Status', items: [status(account.status, STATUS_COLORS)] }),
    via === 'account_id'
      ? button({ label: 'Open in admin', url: `${ADMIN_URL}/${encodeURIComponent(id)}` })
      : badge({
          label: 'Matched by',
          items: [{ value: via === 'email_domain' ? 'Email domain' : 'Email', color: 'orange' }],
        }),
  ]
}
