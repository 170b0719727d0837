import { describe, expect, test } from 'vitest'
import { identify, section, text } from 'sidecard'
import { acme, beta, fetchFrom } from '../../helpers/identify.ts'

const ids = { account_id: 'a1' }
const none = () => null
const several = () => [acme, beta]
const LABEL = { label: 'Acme' }

describe('identify() with wrong arguments is a failure that says what is wrong', () => {
  test.each<[string, unknown, unknown, string]>([
    ['no lookups', undefined, {}, 'there is no lookup. Pass one, such as'],
    ['null', null, {}, 'there is no lookup. Pass one, such as'],
    ['lookups without a function', { account_id: undefined }, {}, 'there is no lookup.'],
    ['a misspelled ID', { acount_id: none }, {}, 'Did you mean account_id?'],
    ['a misspelled option', { account_id: none }, { describ: none }, 'Did you mean describe?'],
    ['a text as notFound', { account_id: none }, { notFound: 'x' }, 'notFound must be a function.'],
    [
      'one domain',
      { account_id: none },
      { publicEmailDomains: 'acme.example' },
      'publicEmailDomains must be an array of domains.',
    ],
    [
      'a domain that is a number',
      { account_id: none },
      { publicEmailDomains: ['acme.example', 7] },
      'publicEmailDomains must be an array of domains.',
    ],
    ['a text as lookup', { account_id: 'a1' }, {}, 'account_id must be a function that takes'],
    ['a controller', { account_id: none }, { signal: {} }, 'signal must be an AbortSignal.'],
    [
      'notFound without a return',
      { account_id: none },
      { notFound: () => undefined },
      'notFound must return components or a card.',
    ],
    [
      'notFound that returns null',
      { account_id: none },
      { notFound: () => null },
      'notFound must return components or a card.',
    ],
    [
      'ambiguous without a return',
      { account_id: several },
      { ambiguous: () => undefined },
      'ambiguous must return components or a card.',
    ],
    [
      'describe without a return',
      { account_id: several },
      { describe: () => undefined },
      'describe must return a string, or an object with label and url.',
    ],
    [
      'describe without a label',
      { account_id: several },
      { describe: () => ({ name: 'Acme' }) },
      'describe must return a string, or an object with label and url.',
    ],
  ])('%s', async (_, lookups, options, message) => {
    const { failure, errors, outcome } = await fetchFrom(
      (ctx) => identify(ctx, lookups as never, options as never) as never,
      ids,
    )
    expect([failure, outcome]).toEqual(['callback_failed', null])
    expect((errors[0] as Error).message).toContain(`identify: `)
    expect((errors[0] as Error).message).toContain(message)
  })
})

describe('components of the user that cannot be shown', () => {
  const INVALID: [string, object][] = [
    ['notFound with an unknown component', { notFound: () => [{ type: 'chart' }] }],
    ['notFound with a promise', { notFound: () => [Promise.reject(new Error('late'))] }],
  ]

  test.each(INVALID)('%s is a failure of the response', async (_, options) => {
    const { failure, errors } = await fetchFrom(
      (ctx) => identify(ctx, { account_id: none }, options) as never,
      ids,
    )
    expect(failure).toBe('invalid_payload')
    expect(errors).toHaveLength(1)
  })

  test.each(INVALID)('%s is a failure of its section only', async (_, options) => {
    const { failure, components } = await fetchFrom(
      (ctx) => [
        text({ label: 'Plan', value: 'Pro' }),
        section('Orders', () => identify(ctx, { account_id: none }, options) as never),
      ],
      ids,
    )
    expect(failure).toBe('section_failed;component=1')
    expect(components[0].value).toBe('Pro')
  })

  test('a candidate with a link that the app does not allow is a failure', async () => {
    const { failure } = await fetchFrom(
      (ctx) =>
        identify(
          ctx,
          { account_id: several },
          { describe: () => ({ ...LABEL, url: 'http://acme.example/' }) },
        ) as never,
      ids,
      { uriSchemes: ['https'] },
    )
    expect(failure).toBe('invalid_payload')
  })
})

test('the failure of describe has the reason as its cause', async () => {
  const { errors } = await fetchFrom(
    (ctx) =>
      identify(ctx, { account_id: several }, { describe: () => undefined as never }) as never,
    ids,
  )
  expect((errors[0] as Error).cause).toBeInstanceOf(Error)
})

test('an error of identify() that is caught says how it ended', async () => {
  const messages: string[] = []
  const run = async (options: object) => {
    await fetchFrom(
      (ctx) =>
        identify(ctx, { account_id: none }, options).catch((error: Error) => {
          messages.push(error.message)
          return []
        }) as never,
      ids,
    )
  }
  await run({})
  await run({ notFound: () => [] })
  expect(messages).toEqual(['identify() found no customer.', 'identify() ended with not_found.'])
})
