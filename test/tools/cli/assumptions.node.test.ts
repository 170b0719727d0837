import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import {
  type AssumptionId,
  ASSUMPTIONS,
  type SeenExchange,
} from '../../../src/tools/cli/assumptions/table.ts'
import { watchAssumptions } from '../../../src/tools/cli/assumptions/watch-assumptions.ts'

const PAYLOAD = { version: '1.0.0', header: { title: 'Billing' }, components: [] }
const FETCH = '?request_type=fetch_data&issue_id=i1&account_id=acme'
const VERIFY = '?request_type=verify&code=c1'

/** An exchange of the service with the endpoint. */
function seen(query = FETCH, rest: Partial<SeenExchange> = {}): SeenExchange {
  const isFetch = query.includes('fetch_data')
  return {
    sender: 'service',
    method: 'GET',
    url: new URL(`http://127.0.0.1/widget${query}`),
    isForEndpoint: true,
    headerNames: ['host', 'user-agent', 'x-sidecard-secret'],
    startedAt: 0,
    durationMs: 20,
    status: 200,
    bytes: 100,
    body: isFetch ? PAYLOAD : { code: 'c1' },
    ...rest,
  }
}

const showing = (...components: readonly object[]) =>
  seen(FETCH, { body: { ...PAYLOAD, components } })
const link = (url: string) => ({ type: 'button', button_type: 'link', label: 'L', url })
const when = (value: string) => ({ type: 'date_time', label: 'L', value })
const failed = seen(FETCH, { status: 500, body: {} })
const aborted = (abortedAfterMs: number, startedAt = 0) =>
  seen(FETCH, { abortedAfterMs, startedAt })
const opened = (search: string, rest: Partial<SeenExchange> = {}) =>
  seen('', {
    url: new URL(`http://127.0.0.1/actions${search}`),
    isForEndpoint: false,
    status: 404,
    headerNames: ['host', 'upgrade-insecure-requests'],
    ...rest,
  })
const button = showing(link('https://tunnel.example/actions?t=abcdef'))

function decide(...exchanges: readonly SeenExchange[]) {
  const lines: string[] = []
  const watched = watchAssumptions(new URLSearchParams(), (line) => lines.push(line))
  for (const exchange of exchanges) watched.see(exchange)
  const { holds, doesNotHold } = watched.summary()
  const statusOf = (id: AssumptionId) =>
    holds.includes(id) ? 'holds' : doesNotHold.includes(id) ? 'does not hold' : 'not decided'
  return { lines, statusOf, summary: watched.formatSummary() }
}

type Rows = readonly (readonly SeenExchange[])[]

/** For each assumption: traffic in which it holds, does not hold, and is not decided. */
const ROWS: Readonly<
  Partial<Record<AssumptionId, readonly [holds: Rows, fails: Rows, open: Rows]>>
> = {
  A1: [
    [[seen()]],
    [[seen(FETCH, { body: { ...PAYLOAD, header: {} } })]],
    [[seen(VERIFY)], [failed]],
  ],
  A2: [
    [[seen()]],
    [
      [seen(FETCH, { body: { ...PAYLOAD, theme: 'dark' } })],
      [showing({ type: 'divider', label: 'L' })],
    ],
    [[seen(VERIFY)], [seen(FETCH, { body: undefined })]],
  ],
  A3: [[[seen()]], [[seen(FETCH, { body: { ...PAYLOAD, version: '1.1.0' } })]], [[failed]]],
  A4: [
    [[seen()], [seen(`${FETCH}&requester_id=`)]],
    [
      [seen(`${FETCH}&issue_id=i2`)],
      [seen(`${FETCH}&requester_id=null`)],
      [seen(`${FETCH}&requesterId=u1`)],
    ],
    [[seen(VERIFY)], [seen(FETCH, { status: 401 })], [seen(FETCH, { sender: 'sidecard' })]],
  ],
  A5: [
    [
      [failed, seen(FETCH, { startedAt: 30_000 })],
      [failed, seen(`${FETCH}1`, { startedAt: 10_021 })],
    ],
    [
      [failed, seen(FETCH, { startedAt: 9_000 })],
      [seen(FETCH, { status: undefined }), seen(FETCH, { startedAt: 9_000 })],
    ],
    [
      [seen(), seen(FETCH, { startedAt: 9_000 })],
      [failed],
      [failed, seen(`${FETCH}1`, { startedAt: 9_000 })],
    ],
  ],
  A6: [
    [[seen(VERIFY)], [seen()]],
    [
      [seen('?code=c1')],
      [seen('?request_type=ping')],
      [seen(`${FETCH}&request_type=verify`)],
      [seen('?request_type=verify')],
      [seen(`${VERIFY}&code=c2`)],
      [seen(`?request_type=verify&code=${'c'.repeat(513)}`)],
    ],
    [
      [seen('?request_type=ping', { status: 401 })],
      [seen('?x', { isForEndpoint: false, status: 404 })],
    ],
  ],
  A7: [
    [[seen(FETCH, { durationMs: 5_000 })], [aborted(6_000)]],
    [[aborted(3_000), aborted(3_400)]],
    [[seen()], [aborted(3_000)], [aborted(3_000), aborted(3_600)]],
  ],
  A8: [
    [[seen()]],
    [
      [showing(...Array.from({ length: 1_001 }, () => ({ type: 'divider' })))],
      [
        showing({
          type: 'card',
          components: Array.from({ length: 1_000 }, () => ({ type: 'divider' })),
        }),
      ],
      [seen(FETCH, { bytes: 262_145 })],
    ],
    [[failed]],
  ],
  A9: [[[button]], [[showing(link('slack://channel'))]], [[failed]]],
  A10: [
    [[showing(when('2026-01-01T00:00:00Z'))]],
    [
      [showing(when('2026-01-01t00:00:00z'))],
      [showing({ type: 'card', components: [when('2016-12-31T23:59:60Z')] })],
    ],
    [[failed]],
  ],
  A16: [
    [[seen()]],
    [[seen(`${FETCH}&agent_id=a1`)], [seen(FETCH, { headerNames: ['host', 'x-operator'] })]],
    [[seen(VERIFY)], [seen(`${FETCH}&locale=en`)]],
  ],
  A17: [
    [[button, opened('?t=abcdef')]],
    [
      [button, opened('?t=abc')],
      [button, opened('?t=abcdef', { headerNames: ['host'] })],
      [button, opened('?t=abcdef', { method: 'HEAD' })],
      [button, opened('?t=abcdef', { headerNames: ['upgrade-insecure-requests', 'sec-purpose'] })],
    ],
    [[button], [button, opened('?t=other')], [button, seen()], [opened('?t=abcdef')]],
  ],
}

const numbered = (rows: Rows) => rows.map((traffic, index) => [index + 1, traffic] as const)

describe.for(Object.keys(ASSUMPTIONS) as AssumptionId[])('assumption %s', (id) => {
  const [holds, fails, open] = ROWS[id] ?? [[], [], [[seen()], [seen(VERIFY)], [failed]]]
  it.runIf(holds.length > 0).for(numbered(holds))('holds in traffic %i', ([, traffic]) => {
    expect(decide(...traffic).statusOf(id)).toBe('holds')
  })
  it.runIf(fails.length > 0).for(numbered(fails))(
    'does not hold in traffic %i, in one line',
    ([, traffic]) => {
      const { lines, statusOf } = decide(...traffic, ...traffic)
      expect(statusOf(id)).toBe('does not hold')
      expect(
        lines.filter((line) => line.startsWith(`assumption ${id} does not hold: `)),
      ).toHaveLength(1)
    },
  )
  it.for(numbered(open))('is not decided by traffic %i', ([, traffic]) => {
    expect(decide(...traffic).statusOf(id)).toBe('not decided')
  })
  it('is in docs/assumptions.md', () => {
    const page = readFileSync(new URL('../../../docs/assumptions.md', import.meta.url), 'utf8')
    expect(page).toMatch(new RegExp(`^\\| ${id} +\\|`, 'm'))
  })
})

test('every assumption of the page is in the table', () => {
  const page = readFileSync(new URL('../../../docs/assumptions.md', import.meta.url), 'utf8')
  const ids = [...page.matchAll(/^\| (A\d+) +\|/gm)].map(([, id]) => id)
  expect(new Set(ids)).toEqual(new Set(Object.keys(ASSUMPTIONS)))
})

test('one traffic contradicts more than another confirms', () => {
  const { statusOf } = decide(seen(), seen(`${FETCH}&issue_id=i2`), seen())
  expect(statusOf('A4')).toBe('does not hold')
})

test('a new parameter is named once, and not if it is in the own query of the endpoint', () => {
  const lines: string[] = []
  const watched = watchAssumptions(new URLSearchParams('tenant=acme'), (line) => lines.push(line))
  const query = `${FETCH}&tenant=acme&locale=en&cus_88417302=1`
  watched.see(seen(query, { status: 401 }))
  expect(lines).toEqual([])
  watched.see(seen(query))
  watched.see(seen(query))
  expect(lines).toEqual([
    'the request has a parameter that the contract does not list: locale',
    'the request has a parameter that the contract does not list: [hidden]',
  ])
})

test('the lines contain no value of the traffic', () => {
  const canary = 'acme-corp-7731'
  const body = { ...PAYLOAD, [canary]: canary, header: {}, components: [link(`x-${canary}://a`)] }
  const query = `?request_type=fetch_data&account_id=${canary}&account_id=${canary}&${canary}=1&agent_id=${canary}`
  const { lines, summary } = decide(seen(query, { body, headerNames: [canary] }))
  expect(lines.length).toBeGreaterThan(3)
  expect([...lines, summary].join('\n')).not.toContain(canary)
})

test('the summary is one line, and there is none without traffic', () => {
  expect(decide().summary).toBeUndefined()
  expect(decide(seen(VERIFY)).summary).toBe(
    'assumptions in 1 request: hold: A6; false: none; not decided: A1, A2, A3, A4, A5, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17',
  )
})
