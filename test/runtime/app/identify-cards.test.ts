import { describe, expect, test } from 'vitest'
import { button, card, type FetchDataContext, identify, section, text } from 'sidecard'
import { type Account, acme, beta, fetchFrom } from '../../helpers/identify.ts'

describe('the cards of identify()', () => {
  const ids = { account_id: 'secret-7', requester_email: 'jane@acme.example' }

  test.each([null, undefined, []])('name the tried IDs if there is no match (%j)', async (none) => {
    const { components, outcome, failure, errors, body } = await fetchFrom(
      (ctx) => identify(ctx, { account_id: () => none, requester_email: () => none }) as never,
      ids,
    )
    expect(outcome).toBe('not_found')
    expect(failure).toBeNull()
    expect(errors).toEqual([])
    expect(components).toEqual([
      {
        type: 'card',
        header: { title: 'Customer not found' },
        components: [
          {
            type: 'text',
            label: 'Reason',
            value: 'No customer matches the account ID or requester email address of this issue.',
          },
        ],
      },
    ])
    expect(body).not.toMatch(/secret-7|jane/)
  })

  test('name the missing IDs if the issue has none to search by', async () => {
    const { components, outcome } = await fetchFrom(
      (ctx) => identify(ctx, { account_id: () => acme, email_domain: () => acme }) as never,
    )
    expect(outcome).toBe('not_found')
    expect(components[0].components[0].value).toBe(
      'This issue has no account ID or email domain to search by.',
    )
  })

  test('show the number of candidates if several match, without their data', async () => {
    const ran: string[] = []
    const { components, outcome, failure } = await fetchFrom(
      (ctx) =>
        identify(ctx, {
          requester_email: () => [acme, beta, acme],
          account_id: (id) => void ran.push(id),
        }) as never,
      ids,
    )
    expect(outcome).toBe('ambiguous')
    expect(failure).toBeNull()
    expect(ran).toEqual([])
    expect(components).toEqual([
      {
        type: 'card',
        header: { title: 'Several customers match' },
        components: [
          {
            type: 'text',
            label: 'Reason',
            value: '3 customers match the requester email address of this issue.',
          },
        ],
      },
    ])
  })

  test('describe at most five candidates, as links if there is a URL', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ id: `${index}`, name: `N${index}` }))
    const url = 'https://admin.example/1'
    const { components } = await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { requester_email: () => many },
          {
            describe: ({ id, name }) =>
              [
                name,
                { label: name },
                { label: name, value: id },
                { label: name, url },
                { label: name, value: id, url },
              ][Number(id)]!,
          },
        ) as never,
      ids,
    )
    expect(components[0].components.slice(1)).toEqual([
      { type: 'text', label: 'Candidate', value: 'N0' },
      { type: 'text', label: 'Candidate', value: 'N1' },
      { type: 'text', label: 'N2', value: '2' },
      { type: 'link', label: 'N3', url },
      { type: 'link', label: 'N4: 4', url },
      { type: 'text', label: 'Candidate', value: 'and 3 more' },
    ])
  })

  test('list all candidates without a remainder if there are five or fewer', async () => {
    const { components } = await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { requester_email: () => [acme, beta] },
          { describe: ({ name }) => name },
        ) as never,
      ids,
    )
    expect(components[0].components.slice(1)).toEqual([
      { type: 'text', label: 'Candidate', value: 'Acme' },
      { type: 'text', label: 'Candidate', value: 'Beta' },
    ])
  })

  test('replace a section only', async () => {
    const { components, outcome } = await fetchFrom(
      (ctx) => [
        text({ label: 'Always', value: 'here' }),
        section('Orders', async () => {
          await identify(ctx, { account_id: () => null })
          return text({ label: 'Never', value: 'shown' })
        }),
      ],
      ids,
    )
    expect(outcome).toBeNull()
    expect(components).toEqual([
      { type: 'text', label: 'Always', value: 'here' },
      {
        type: 'card',
        header: { title: 'Orders' },
        components: [expect.objectContaining({ label: 'Reason' })],
      },
    ])
  })

  test('are replaced by the options, with their own title or the default one', async () => {
    const search = button({ label: 'Search', url: 'https://admin.example' })
    const none = { requester_email: () => null as Account | null }
    const several = { requester_email: () => [acme, beta] }
    const shown = async (run: (ctx: FetchDataContext) => Promise<unknown>) => {
      const { components, outcome } = await fetchFrom(run as never, ids)
      return [outcome, components]
    }
    expect(await shown((ctx) => identify(ctx, none, { notFound: () => [false, search] }))).toEqual([
      'not_found',
      [{ type: 'card', header: { title: 'Customer not found' }, components: [search] }],
    ])
    expect(
      await shown((ctx) =>
        identify(ctx, none, {
          notFound: async ({ tried }) =>
            card({ header: { title: `No ${tried.join()}` }, components: [search] }),
        }),
      ),
    ).toEqual([
      'not_found',
      [{ type: 'card', header: { title: 'No requester_email' }, components: [search] }],
    ])
    expect(
      await shown((ctx) => identify(ctx, none, { notFound: () => card({ components: [search] }) })),
    ).toEqual([
      'not_found',
      [{ type: 'card', header: { title: 'Customer not found' }, components: [search] }],
    ])
    expect(
      await shown((ctx) =>
        identify(ctx, several, {
          ambiguous: ({ via, candidates }) => [
            text({ label: via, value: candidates.map(({ name }) => name).join() }),
          ],
        }),
      ),
    ).toEqual([
      'ambiguous',
      [
        {
          type: 'card',
          header: { title: 'Several customers match' },
          components: [{ type: 'text', label: 'requester_email', value: 'Acme,Beta' }],
        },
      ],
    ])
  })

  test('are translated by messages', async () => {
    const { body } = await fetchFrom(
      (ctx) => identify(ctx, { account_id: () => [acme, beta] }) as never,
      ids,
      {
        messages: {
          ambiguous: 'Mehrere Kunden',
          reason: 'Grund',
          ambiguousReason: (count, name) => `${count} Kunden: ${name}`,
          ids: { account_id: 'Konto' },
        },
      },
    )
    expect(body).toContain('Mehrere Kunden')
    expect(body).toContain('2 Kunden: Konto')
  })

  test('replace the widget if a lookup requires another ID', async () => {
    const { outcome, components } = await fetchFrom(
      (ctx) =>
        identify(ctx, {
          account_id: () => ctx.require('requester_id'),
          requester_email: () => acme,
        }) as never,
      ids,
    )
    expect(outcome).toBe('not_available')
    expect(components[0].components[0].value).toContain('requester ID')
  })
})
