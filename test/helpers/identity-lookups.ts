import { expect, test } from 'vitest'
import { identify } from 'sidecard'
import { fetchFrom, show } from './identify.ts'

interface Row {
  readonly id: string
  readonly name: string
}

type Find = (
  value: string,
) => Row | null | undefined | readonly Row[] | Promise<Row | null | undefined | readonly Row[]>

/** The queries of lookups, on a real database with the table of {@link IDENTITY_ROWS}. */
export interface IdentityQueries {
  readonly byId: Find
  readonly byEmail: Find
  readonly byDomain: Find
  /** Queries a table that does not exist. */
  readonly broken: Find
}

/** Creates the table. Emails are stored as customers typed them. */
export const CREATE_ACCOUNTS =
  'create table accounts (id text primary key, name text not null, email text, domain text)'

/** The accounts: id, name, email, domain. */
export const IDENTITY_ROWS: ReadonlyArray<readonly [string, string, string | null, string | null]> =
  [
    ['acme', 'Acme', 'Jane.Doe@Acme.Example', 'acme.example'],
    ['plus', 'Plus', 'jane.doe+billing@acme.example', null],
    ['one', 'Shared One', 'team@shared.example', 'shared.example'],
    ['two', 'Shared Two', 'TEAM@shared.example', 'shared.example'],
    ['idn', 'Books', null, 'xn--bcher-kva.example'],
    ['mail', 'Mail', null, 'gmail.com'],
    ["o'neil; drop", 'Quotes', "o'neil%_@quotes.example", null],
  ]

type Case = readonly [
  name: string,
  ids: Readonly<Record<string, string>>,
  /** The matched ID and the customer, or the outcome. */
  shown: string,
]

const CASES: readonly Case[] = [
  ['the account ID', { account_id: 'acme' }, 'account_id: Acme'],
  [
    'the account ID before the email',
    { account_id: 'one', requester_email: 'jane.doe@acme.example' },
    'account_id: Shared One',
  ],
  [
    'the email in any case and with blanks',
    { requester_email: ' JANE.doe@ACME.example ' },
    'requester_email: Acme',
  ],
  [
    'the email with its plus address only',
    { requester_email: 'Jane.Doe+Billing@acme.example' },
    'requester_email: Plus',
  ],
  [
    'an ID and an email with quotes and wildcards',
    { account_id: "o'neil", requester_email: "O'Neil%_@quotes.example" },
    'requester_email: Quotes account_id',
  ],
  [
    'the email if the account ID is empty',
    { account_id: '', requester_email: 'jane.doe@acme.example' },
    'requester_email: Acme',
  ],
  [
    'the email if the account ID is unknown',
    { account_id: 'gone', requester_email: 'jane.doe@acme.example' },
    'requester_email: Acme account_id',
  ],
  [
    'the domain if the email is unknown',
    { requester_email: 'new@acme.example' },
    'email_domain: Acme requester_email',
  ],
  [
    'an internationalized domain',
    { requester_email: 'leser@Bücher.example' },
    'email_domain: Books requester_email',
  ],
  ['no subdomain', { requester_email: 'new@mail.acme.example' }, 'not_found'],
  ['no public mail provider', { requester_email: 'new@gmail.com' }, 'not_found'],
  ['no wildcard', { requester_email: '%@acme.exampl_' }, 'not_found'],
  ['neither of two accounts', { requester_email: 'team@shared.example' }, 'ambiguous'],
  ['no account without IDs', {}, 'not_found'],
]

/** Declares the tests of lookups in a database. */
export function testIdentityLookups(queries: () => IdentityQueries): void {
  const open = (ids: Readonly<Record<string, string>>) =>
    fetchFrom(
      async (ctx) =>
        show(
          await identify(ctx, {
            account_id: (id) => queries().byId(id),
            requester_email: (email) => queries().byEmail(email),
            email_domain: (domain) => queries().byDomain(domain),
          }),
        ),
      ids,
    )

  test.each(CASES)('identify() finds %s', async (_, ids, expected) => {
    const { components, outcome, failure, errors } = await open(ids)
    expect(errors).toEqual([])
    expect(failure).toBeNull()
    const [{ label, value }] = components
    expect(outcome ?? `${label}: ${value}`).toBe(expected)
  })

  test('no lookup runs after a query that fails', async () => {
    const shown = await fetchFrom(
      (ctx) =>
        identify(ctx, {
          account_id: (id) => queries().broken(id),
          requester_email: (email) => queries().byEmail(email),
        }) as never,
      { account_id: 'acme', requester_email: 'jane.doe@acme.example' },
    )
    expect(shown.failure).toBe('identity_failed')
    expect(String(shown.errors[0])).toMatch(/missing_table/)
    expect(shown.body).not.toMatch(/missing_table|Acme/)
  })
}
