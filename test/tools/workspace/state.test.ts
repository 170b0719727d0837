import { afterEach, describe, expect, test } from 'vitest'
import type { ExchangeSummary } from '../../../src/tools/emulator/protocol/exchanges.ts'
import { formatRoute, parseRoute } from '../../../src/tools/workspace/core/route.ts'
import {
  addExchange,
  exchangeSearch,
  exchanges,
  shownExchanges,
} from '../../../src/tools/workspace/state/exchanges.ts'
import { NORMAL, parseRequestAs, toQuery } from '../../../src/tools/workspace/state/request-as.ts'

const EXCHANGE: ExchangeSummary = {
  id: 'exc_1',
  at: '2026-11-20T09:00:00Z',
  kind: 'fetch_data',
  source: 'emulator',
  appId: 'app_1',
  appName: 'Billing',
  issueId: 'iss_1042',
  widgetId: 'wid_1',
  customer: 'Acme',
  state: null,
  sections: null,
  unapplied: null,
  parameters: [['requester_email', 'maria@acme.example']],
  isCustom: false,
  group: null,
  status: 200,
  durationMs: 12,
  bytes: 340,
  traceId: 'k7m2p9qx4w8z',
  outcome: 'rendered',
  failures: [],
  timing: [],
  injected: null,
  findings: { MUST: 0, SHOULD: 0, ASSUMED: 0 },
  replayOf: null,
  action: null,
}

describe('the requests of the inspector', () => {
  afterEach(() => {
    exchanges.value = null
    exchangeSearch.value = ''
  })

  test('are found by words in any order', () => {
    addExchange(EXCHANGE)
    addExchange({ ...EXCHANGE, id: 'exc_2', traceId: 'other', outcome: 'failed' })
    const find = (text: string) => {
      exchangeSearch.value = text
      return shownExchanges.value.map(({ id }) => id)
    }
    expect(find('')).toEqual(['exc_2', 'exc_1'])
    expect(find('K7M2 billing')).toEqual(['exc_1'])
    expect(find('billing failed')).toEqual(['exc_2'])
    expect(find('billing failed k7m2')).toEqual([])
    expect(find('maria@acme')).toEqual(['exc_2', 'exc_1'])
  })

  test('replace an older summary of the same request', () => {
    addExchange(EXCHANGE)
    addExchange({ ...EXCHANGE, durationMs: 99 })
    expect(exchanges.value?.map(({ durationMs }) => durationMs)).toEqual([99])
  })
})

test('a fragment survives parsing, with any ID', () => {
  const query = new URLSearchParams({ state: 'No IDs' })
  for (const id of ['iss_1', 'a/b?c#d%', '鯉', '%']) {
    const route = parseRoute(formatRoute('issues', id, query))
    expect(route).toMatchObject({ view: 'issues', id })
    expect(route.query.get('state')).toBe('No IDs')
  }
  expect(parseRoute('#/nowhere/x')).toMatchObject({ view: 'issues', id: null })
})

test.each([
  { ...NORMAL, params: { account_id: 'a&b=c', requester_email: '', issue_id: null } },
  { ...NORMAL, subject: { kind: 'state', name: 'Orders & more' } as const },
  {
    ...NORMAL,
    subject: { kind: 'customer', name: '鯉' } as const,
    sections: { 'A "b"': 'failed' } as const,
  },
])('the state %j survives the query', (state) => {
  expect(parseRequestAs(toQuery(state))).toEqual(state)
})

test.each(['[]', '{', 'null', '"x"', '{"Orders":"slow"}'])(
  'malformed sections are ignored: %s',
  (sections) => {
    expect(parseRequestAs(new URLSearchParams({ sections }))).toEqual(NORMAL)
  },
)
