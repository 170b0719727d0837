import { describe, expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { checkParts, evaluateSeed, redRules } from '../../farm/farm.ts'
import {
  type Account,
  find,
  json,
  type Parts,
  type Received,
  respond,
  show,
  text,
} from '../../farm/seed.ts'
import { situationSeeds } from '../../farm/seeds-situations.ts'
import { findingLines } from './in-process.ts'

describe('a mistake that shows in one situation, or at one value', () => {
  it.each(situationSeeds.map((seed) => [seed.id, seed] as const))(
    'is found, and its conformant twin passes: %s',
    async (_id, seed) => {
      const { both, defect, twin } = seed.options ?? {}
      const outcome = evaluateSeed(await checkParts(seed.defect(), { ...both, ...defect }), seed)
      const isWarning = /code|invoice|etag/.test(seed.id)
      expect(outcome).toBe(isWarning ? 'advised' : 'found')
      const report = await checkParts(seed.twin?.() ?? {}, { ...both, ...twin })
      expect({ red: redRules(report), verdict: report.verdict }).toEqual({
        red: [],
        verdict: 'conforms',
      })
    },
  )
})

it('finds a response that was meant for a canceled request', async () => {
  let waiting: Account | undefined
  const data = async ({ id, request: { signal } }: Received) => {
    const own = find(id)
    const isCanceled = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), 30)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve(true)
      })
    })
    const shown = own && (waiting ?? own)
    waiting = isCanceled ? own : undefined
    return respond(shown)
  }
  expect(redRules(await checkParts({ data }))).toContain('security-isolation')
})

/** Shows an account with more components. */
const showing = (create: (account: Account) => readonly unknown[]): Parts => ({
  data({ id }) {
    const own = find(id)
    return own ? json(show(text('Name', own.name), ...create(own))) : respond(own)
  },
})
const texts = ['red', 'green', 'blue'].map((value) => text(`Tag ${value}`, value))
let count = 0
const isNext = (every: number) => (count += 1) % every === 0

describe('no harm is', () => {
  it.for<readonly [string, Parts, CheckOptions?]>([
    ['a list in random order', showing(() => texts.toSorted(() => Math.random() - 0.5))],
    ['a value that all customers share', showing(() => [text('Desk', 'vip-desk@vendor.example')])],
    ['a number that all customers share', showing(() => [text('Rate', 'EUR 1,249.50')])],
    [
      'a value in a header, of which a part of the letters is not ASCII',
      {
        data: ({ id, params }) => {
          const response = respond(find(id))
          response.headers.set('x-by', encodeURIComponent(params.get('requester_email') ?? ''))
          return response
        },
      },
    ],
    [
      'the same components with dashes for an unknown customer',
      {
        data: ({ id }) => json(show(text('Name', find(id)?.name ?? '—'), text('Plan', 'Basic'))),
      },
      { unknown: { shows: ['—'] } },
    ],
  ])('%s', async ([, parts, options]) => {
    const report = await checkParts(parts, options)
    expect({ lines: findingLines(report), verdict: report.verdict }).toEqual({
      lines: [],
      verdict: 'conforms',
    })
  })
})

describe('only a warning is', () => {
  it.each<readonly [string, Parts, RegExp]>([
    [
      'a 503 that is gone when the data fetch is repeated',
      { data: ({ id }) => (isNext(150) ? json({}, 503) : respond(find(id))) },
      /^warn \| data-consistent \| [1-3] of \d+ data fetches failed; /,
    ],
    [
      'a 304 without the secret',
      {
        rejected: ({ request }) =>
          request.headers.has('if-none-match')
            ? new Response(null, { status: 304 })
            : json({}, 401),
      },
      /^warn \| auth-rejection-data \| .* returned 304$/,
    ],
    [
      'a status that tells who is a customer',
      { rejected: ({ id }) => json({}, find(id) ? 401 : 404) },
      /^warn \| auth-rejection-data \| .*a known customer gets 401, and an unknown one 404$/,
    ],
  ])('%s', async (_what, parts, line) => {
    const report = await checkParts(parts)
    expect(report.verdict).toBe('conforms')
    expect(findingLines(report)).toEqual([expect.stringMatching(line)])
  })
})

it.each([
  ['a zero byte', 'account_id', '\0'],
  ['a broken email', 'requester_email', 'sidecard'],
])('an error that only %s causes is found', async (_what, name, value) => {
  const error = 'Traceback (most recent call last)'
  const report = await checkParts({
    data: ({ params, id }) =>
      params.get(name) === value ? json({ error }, 400) : respond(find(id)),
  })
  expect(redRules(report)).toEqual(['errors-stack'])
})
