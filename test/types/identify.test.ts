import { expectTypeOf, test } from 'vitest'
import { type FetchDataContext, identify, type Identified, text } from 'sidecard'

interface Account {
  readonly id: string
  readonly name: string
}
interface Person {
  readonly email: string
}

declare const ctx: FetchDataContext
declare const isEnabled: boolean
declare const db: {
  account(id: string): Promise<Account | null>
  accounts(domain: string): Promise<readonly Account[]>
  person(email: string): Person | undefined
}

/** Code that the compiler rejects. An unused `@ts-expect-error` is an error. */
async function rejected(): Promise<void> {
  // @ts-expect-error a misspelled key
  await identify(ctx, { acount_id: (id: string) => db.account(id) })
  // @ts-expect-error a key that the contract does not have
  await identify(ctx, { account_id: db.account, tenant_id: db.account })
  // @ts-expect-error IDs are strings
  await identify(ctx, { account_id: (id: number) => db.account(String(id)) })
  // @ts-expect-error not a function
  await identify(ctx, { account_id: 'a1' })
  // @ts-expect-error describe() returns text or a description
  await identify(ctx, { account_id: db.account }, { describe: ({ id }) => ({ title: id }) })
  // @ts-expect-error a candidate has no such property
  await identify(ctx, { account_id: db.account }, { describe: (candidate) => candidate.nam })
  const { value } = await identify(ctx, { account_id: db.account, requester_email: db.person })
  // @ts-expect-error only accounts have a name: narrow by via
  text({ label: 'Name', value: value.name })
  // @ts-expect-error the lookups are missing
  await identify(ctx)
}

test('identify() returns the type of its lookups’ matches, without promises, arrays and undefined', () => {
  expectTypeOf(rejected).toBeFunction()
  const found = () =>
    identify(ctx, {
      account_id: (id) => db.account(id),
      email_domain: db.accounts,
      requester_id: isEnabled ? db.account : undefined,
    })
  expectTypeOf(found).returns.resolves.toHaveProperty('value').toEqualTypeOf<Account>()
  expectTypeOf(found)
    .returns.resolves.toHaveProperty('via')
    .toEqualTypeOf<'account_id' | 'email_domain' | 'requester_id'>()
})

declare function show(match: { readonly value: Account; readonly via: string }): void

test('lookups are typed by the contract even if the result has an expected type', () => {
  const shown = async () => {
    show(
      await identify(ctx, {
        account_id: (id) => db.account(id),
        email_domain: (host) => db.accounts(host),
      }),
    )
    const match: { readonly value: Account } = await identify(ctx, {
      account_id: (id) => db.account(id.trim()),
    })
    return match
  }
  expectTypeOf(shown).returns.resolves.toEqualTypeOf<{ readonly value: Account }>()
})

test('via narrows the value', () => {
  const names = async () => {
    const match = await identify(ctx, { account_id: db.account, requester_email: db.person })
    return match.via === 'account_id' ? match.value.name : match.value.email
  }
  expectTypeOf(names).returns.resolves.toEqualTypeOf<string>()
  type Lookups = { account_id: typeof db.account; requester_email: typeof db.person }
  expectTypeOf<Extract<Identified<Lookups>, { via: 'account_id' }>['unmatched']>().toEqualTypeOf<
    ReadonlyArray<'requester_email'>
  >()
})

test('the options are typed by the candidates and the keys', () => {
  const found = () =>
    identify(
      ctx,
      { requester_email: async (email) => [{ id: email, name: 'a' }, null] },
      {
        describe: ({ id, name }) => ({ label: name, url: id }),
        failed: ({ via }) => [text({ label: via, value: 'a' })],
        notFound: ({ tried }) => tried.map((via) => text({ label: via, value: 'a' })),
        ambiguous: async ({ candidates }) => [
          text({ label: 'a', value: candidates[0]?.name ?? '' }),
        ],
      },
    )
  expectTypeOf(found).returns.resolves.toHaveProperty('value').toEqualTypeOf<{
    id: string
    name: string
  }>()
})
