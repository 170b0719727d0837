import { describe, expect, test } from 'vitest'
import { identify, noAuth, sidecard } from 'sidecard'
import { acme, beta, fetchFrom, found, show } from '../../helpers/identify.ts'

describe('identify()', () => {
  test('returns the first match in the order of the lookups', async () => {
    const ids = { account_id: 'a1', requester_email: 'jane@acme.example' }
    const byAccount = await fetchFrom(
      async (ctx) =>
        show(await identify(ctx, { account_id: () => acme, requester_email: () => beta })),
      ids,
    )
    expect(byAccount.components).toEqual(found('Acme', 'account_id'))
    const byEmail = await fetchFrom(
      async (ctx) =>
        show(await identify(ctx, { requester_email: () => beta, account_id: () => acme })),
      ids,
    )
    expect(byEmail.components).toEqual(found('Beta', 'requester_email'))
  })

  test('does not run the lookups after a match', async () => {
    const ran: string[] = []
    await fetchFrom(
      async (ctx) =>
        show(
          await identify(ctx, {
            account_id: () => (ran.push('account_id'), acme),
            requester_email: () => (ran.push('requester_email'), beta),
          }),
        ),
      { account_id: 'a1', requester_email: 'jane@acme.example' },
    )
    expect(ran).toEqual(['account_id'])
  })

  test.each([
    ['an absent ID', {}],
    ['an empty ID', { account_id: '' }],
    ['a blank ID', { account_id: ' \t\n' }],
  ])('skips the lookup of %s', async (_, ids) => {
    const { components } = await fetchFrom(
      async (ctx) =>
        show(await identify(ctx, { account_id: () => beta, requester_email: () => acme })),
      { ...ids, requester_email: 'jane@acme.example' },
    )
    expect(components).toEqual(found('Acme', 'requester_email'))
  })

  test('skips a lookup that is undefined', async () => {
    const isEnabled = (): boolean => false
    const { components } = await fetchFrom(
      async (ctx) =>
        show(
          await identify(ctx, {
            account_id: isEnabled() ? () => beta : undefined,
            requester_email: () => acme,
          }),
        ),
      { account_id: 'a1', requester_email: 'jane@acme.example' },
    )
    expect(components).toEqual(found('Acme', 'requester_email'))
  })

  test('passes IDs unchanged, and emails trimmed and in lowercase', async () => {
    const seen: string[] = []
    await fetchFrom(
      (ctx) =>
        identify(ctx, {
          account_id: (id) => void seen.push(id),
          requester_email: (email) => void seen.push(email),
        }) as never,
      { account_id: ' A-1 ', requester_email: '  Jane.Doe+Support@ACME.Example\n' },
    )
    expect(seen).toEqual([' A-1 ', 'jane.doe+support@acme.example'])
  })

  test.each<[string, () => unknown]>([
    ['a value', () => acme],
    ['an array of one', () => [acme]],
    ['an array with gaps', () => [null, acme, undefined]],
    ['a promise', () => Promise.resolve(acme)],
    ['an array of promises', () => [Promise.resolve(acme), Promise.resolve(null)]],
    ['a thenable', () => ({ then: (resolve: (value: unknown) => void) => resolve([acme]) })],
    [
      'a function with then, as Workers RPC returns',
      () => Object.assign(() => 0, { then: (resolve: (value: unknown) => void) => resolve(acme) }),
    ],
  ])('takes %s as one match', async (_, lookup) => {
    const { components } = await fetchFrom(
      async (ctx) => show((await identify(ctx, { account_id: lookup })) as never),
      { account_id: 'a1' },
    )
    expect(components).toEqual(found('Acme', 'account_id'))
  })

  test('returns the unmatched IDs, and logs them', async () => {
    const { components, lines } = await fetchFrom(
      async (ctx) =>
        show(
          await identify(ctx, {
            account_id: () => null,
            requester_id: () => undefined,
            issue_id: () => beta,
            requester_email: () => [acme],
          }),
        ),
      { account_id: 'gone', requester_id: 'r', requester_email: 'jane@acme.example' },
    )
    expect(components).toEqual([
      { type: 'text', label: 'requester_email', value: 'Acme account_id,requester_id' },
    ])
    expect(lines).toContainEqual(
      expect.objectContaining({
        via: 'requester_email',
        unmatched: ['account_id', 'requester_id'],
      }),
    )
  })
})

describe('identify() rejects', () => {
  test.each([
    [{ acount_id: () => acme }, 'Did you mean account_id?'],
    [{ nonsense: () => acme }, 'The lookups are app_id'],
    [{ account_id: 'a1' }, 'account_id must be a function'],
    [{ account_id: null }, 'account_id must be a function'],
  ])('invalid lookups (%#) before it calls one', async (lookups, message) => {
    const { failure, errors } = await fetchFrom((ctx) => identify(ctx, lookups as never) as never, {
      account_id: 'a1',
    })
    expect(failure).toBe('callback_failed')
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'invalid_options',
        message: expect.stringContaining(message),
      }),
    ])
  })
})

test('concurrent requests never see the customer of another one', async () => {
  const byEmail = async (email: string) => {
    await new Promise((resolve) => setTimeout(resolve, email.length % 3))
    return { id: email, name: email }
  }
  const app = sidecard({
    header: { title: 'Test' },
    auth: noAuth(),
    fetchData: async (ctx) => show(await identify(ctx, { requester_email: byEmail })),
  })
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const email = `${'x'.repeat(index)}@acme.example`
      const query = new URLSearchParams({ request_type: 'fetch_data', requester_email: email })
      const response = await app.request(`/?${query}`)
      expect(await response.json()).toMatchObject({ components: [{ value: email }] })
    }),
  )
})
