import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { RULES } from '../../../src/tools/check/rules/index.ts'
import type { CheckOptions, Report } from 'sidecard/check'
import {
  broken,
  checkInProcess,
  checkUrl,
  dataWith,
  findingLines,
  inProcess,
  json,
  payload,
} from './in-process.ts'
import type { Parts } from './in-process.ts'

/** Returns the rules that were not evaluated, by reason. */
function skips({ results }: Report): Record<string, string[]> {
  const reasons: Record<string, string[]> = {}
  for (const { status, rule, reason = '' } of results) {
    if (status === 'skip' || status === 'not_applicable') (reasons[reason] ??= []).push(rule)
  }
  return reasons
}

const inGroup = (...groups: string[]) =>
  RULES.filter(({ group }) => groups.includes(group)).map(({ id }) => id)

const INVALID = ['errors-request-type', 'errors-code-empty', 'errors-server', 'errors-html']
const FUTURE = inGroup('parameters').filter((id) => id.startsWith('future-'))
const AUTH = inGroup('authentication').filter((id) => /^auth-(?:none|handshake|data)/.test(id))
const ONE_HEADER = {
  'fewer than two custom headers with a secret were sent': ['auth-header-unread'],
}
const ONLY_IDS = 'the data contains only the requested IDs'
const BY_OPTION = {
  ...ONE_HEADER,
  [ONLY_IDS]: ['auth-rejection-data'],
  'requires a transport that keeps connections open': ['response-reused-connection'],
  'no IDs of a known customer were passed': ['data-unknown', 'data-outcome', 'security-unknown'],
  'no customer was passed with texts': ['data-shows'],
  'fewer than two customers were passed with texts': ['security-isolation'],
  'fewer than two customers were passed': ['security-shared-values'],
  'custom headers were sent': ['auth-none'],
  'no budget was set': ['latency-budget'],
}
const HANDSHAKE_CONTENT = [
  'handshake-content-type',
  'handshake-utf8',
  'handshake-form',
  'handshake-json',
  'handshake-fields',
  'handshake-text',
  'handshake-code',
]
const DATA_CONTENT = ['data-content-type', 'data-utf8', 'data-json']
const PAYLOAD = [...inGroup('payload', 'components'), 'security-script-url', 'url-personal-data']
const noData = {
  'no data fetch reached this check': DATA_CONTENT,
  'requires at least two data fetches': ['data-consistent'],
  'no data response was JSON': ['data-content-type-exact'],
  'no payload was received': [...PAYLOAD, 'data-duplicate-keys'],
  'no data was returned for another email address': ['parameters-email'],
  'no data was returned for another ID': ['parameters-id'],
  'requires a valid data response': FUTURE,
}
const noHandshake = {
  'no handshake reached this check': HANDSHAKE_CONTENT,
  'no regular handshake succeeded': ['handshake-code-characters', 'handshake-code-quoting'],
  'requires at least two handshakes': ['handshake-consistent'],
  'no handshake succeeded before': ['errors-survive'],
}

describe('a rule is skipped, with the reason, if the endpoint', () => {
  it.for<readonly [string, Parts, Record<string, string[]>, CheckOptions?]>([
    ['conforms', {}, BY_OPTION],
    [
      'needs no header',
      { authorized: () => true },
      {
        ...BY_OPTION,
        'custom headers were sent': [],
        [ONLY_IDS]: [],
        'no custom header with a secret was sent': [...AUTH.slice(1), 'auth-rejection-data'],
      },
      { headers: {} },
    ],
    [
      'is in production',
      {},
      { ...BY_OPTION, 'no invalid requests are sent (profile production)': INVALID },
      { profile: 'production' },
    ],
    [
      'violates the contract',
      { data: (received) => json(payload(received, [{ type: 'chart' }])) },
      BY_OPTION,
    ],
    [
      'declares wrong types, although their contents are valid',
      {
        verify: ({ code }) => json({ code }, 200, { 'content-type': 'text/html' }),
        data: dataWith({ 'content-type': 'text/html' }),
      },
      {
        ...BY_OPTION,
        'no data response was JSON': ['data-content-type-exact'],
      },
    ],
    [
      'does not decode codes',
      { verify: ({ code }) => json({ code: code.replaceAll('+', ' ') }) },
      {
        ...BY_OPTION,
        'the code is not decoded correctly': ['handshake-code-quoting'],
      },
    ],
    ['builds JSON by hand', { verify: ({ code }) => json(`{"code":"${code}"}`) }, BY_OPTION],
    [
      'reports a failure',
      { data: dataWith({ 'x-sidecard-failure': 'timeout' }) },
      {
        ...BY_OPTION,
        ...noData,
        'no payload was received': [],
        'no data fetch reached this check': ['data-status', ...DATA_CONTENT],
        'no data fetch succeeded with the headers': AUTH.slice(3),
        'no response was received': ['parameters-absent', 'parameters-empty'],
      },
    ],
    [
      'shows stale content',
      { data: dataWith({ 'x-sidecard-failure': 'section_failed;component=0;stale' }) },
      BY_OPTION,
    ],
    [
      'fails every measured request',
      { verify: () => json({}, 500), data: () => json({}, 500) },
      {
        'requires at least two handshakes': ['handshake-consistent'],
        'requires at least two data fetches': ['data-consistent'],
      },
      {
        profile: 'production',
        samples: 1,
        latencySamples: 2,
        only: ['handshake-consistent', 'data-consistent'],
      },
    ],
    [
      'fails every data fetch',
      { data: () => json({}, 500) },
      {
        ...BY_OPTION,
        ...noData,
        'no data fetch succeeded with the headers': AUTH.slice(3),
      },
    ],
    [
      'fails every handshake',
      { verify: () => json({}, 500) },
      {
        ...BY_OPTION,
        ...noHandshake,
        'no handshake succeeded with the headers': AUTH.slice(1, 3),
      },
    ],
    [
      'limits the rate of all requests',
      { verify: () => json({}, 429), data: () => json({}, 429) },
      {
        ...BY_OPTION,
        ...noData,
        ...noHandshake,
        'no response was received': [
          ...inGroup('reachability').filter((id) => !/reused|limit/.test(id)),
          'data-failure',
          'parameters-absent',
          'parameters-empty',
          ...INVALID,
          'errors-stack',
          'security-header-echo',
          'response-time',
        ],
        [ONLY_IDS]: [],
        'no handshake succeeded before': [],
        'no final handshake was sent': ['errors-survive'],
        'no data fetch got a response': ['auth-rejection-data'],
        'no handshake reached this check': [
          ...HANDSHAKE_CONTENT,
          'handshake-status',
          'handshake-code-cached',
        ],
        'no data fetch reached this check': ['data-status', ...DATA_CONTENT],
        'too few concurrent handshakes': ['handshake-code-mixed'],
        'no handshake succeeded with the headers': AUTH.slice(1, 3),
        'no data fetch succeeded with the headers': AUTH.slice(3),
        'no request succeeded': ['security-cors', 'security-nosniff', 'security-cache'],
        'no complete response was received': ['latency-slow'],
      },
      { maxWaitMs: 0 },
    ],
    [
      'limits the rate of all requests, which are measured',
      { verify: () => json({}, 429), data: () => json({}, 429) },
      { 'no complete response was received': ['latency-slow', 'latency-budget'] },
      { maxWaitMs: 0, maxP95Ms: 1, only: ['latency-slow', 'latency-budget'] },
    ],
    [
      'returns no payload for a known customer',
      { data: () => json({}, 500) },
      { 'no payload was received': ['data-outcome'] },
      { customers: [{ ids: { account_id: 'acme' } }], only: ['data-outcome'] },
    ],
    [
      'returns no data without a secret',
      { data: () => json({}, 500), authorized: () => true },
      { 'no data was returned': ['auth-none'] },
      { headers: {}, only: ['auth-none'] },
    ],
  ])('%s', async ([, parts, expected, options = {}]) => {
    const sorted = (reasons: Record<string, string[]>) =>
      Object.fromEntries(
        Object.entries(reasons).flatMap(([reason, rules]) =>
          rules.length === 0 ? [] : [[reason, rules.toSorted()]],
        ),
      )
    expect(sorted(skips(await checkInProcess(parts, options)))).toEqual(sorted(expected))
  })

  it('is unreachable', async () => {
    const report = await checkUrl(async () => broken('ECONNREFUSED'))
    expect(findingLines(report)).toEqual([
      'fail | reachable | handshake: the endpoint is unreachable (ECONNREFUSED)',
      'fail | reachable | data fetch: the endpoint is unreachable (ECONNREFUSED)',
    ])
    expect(skips(report)).toEqual({
      'the endpoint is unreachable': RULES.slice(1).map(({ id }) => id),
    })
    expect(report).toMatchObject({ verdict: 'not_proven', unreachable: true, requests: 2 })
    expect(exitCodeOf(report)).toBe(3)
  })

  it('is unreachable for both requests, not only for one', async () => {
    const app = inProcess()
    const report = await checkUrl(async (request) =>
      request.url.includes('verify') ? broken('ECONNREFUSED') : app.fetch(request),
    )
    expect(findingLines(report).filter((line) => line.startsWith('fail'))).toEqual([
      'fail | reachable | handshake: the endpoint is unreachable (ECONNREFUSED)',
    ])
    expect(report).toMatchObject({ verdict: 'violates', unreachable: false })
  })
})

describe('a verdict', () => {
  it.each<readonly [string, Parts, CheckOptions, Partial<Report>]>([
    [
      'of a conformant endpoint',
      {},
      {},
      { verdict: 'not_proven', partial: false, onlyCards: false },
    ],
    ['of some rules', {}, { only: ['uri'] }, { verdict: 'conforms', partial: true }],
    ['of skipped rules', {}, { only: ['auth-none'] }, { verdict: 'not_proven' }],
    [
      'of an endpoint without customers',
      { data: dataWith({ 'x-sidecard-outcome': 'not_found' }) },
      {},
      { verdict: 'not_proven', onlyCards: true },
    ],
    [
      'of an endpoint without customers, of other rules',
      { data: dataWith({ 'x-sidecard-outcome': 'not_found' }) },
      { only: ['handshake', 'latency'] },
      { verdict: 'conforms', onlyCards: true },
    ],
    [
      'of an endpoint that knows a customer',
      { data: dataWith({ 'x-sidecard-outcome': 'not_found' }, ({ count }) => count > 1) },
      {},
      { verdict: 'not_proven', onlyCards: false },
    ],
    ...['data', 'payload', 'components'].map(
      (group): readonly [string, Parts, CheckOptions, Partial<Report>] => [
        `of an endpoint without customers, of the group ${group}`,
        { data: dataWith({ 'x-sidecard-outcome': 'not_found' }) },
        { only: [group] },
        { verdict: 'not_proven' },
      ],
    ),
    ['of an open endpoint', { authorized: () => true }, {}, { verdict: 'not_proven' }],
    [
      'of an endpoint that needs no secret',
      { authorized: () => true },
      { headers: {} },
      { verdict: 'not_proven', target: 'an in-process endpoint' },
    ],
    [
      'of an open endpoint, of other rules',
      { authorized: () => true },
      { only: ['auth-handshake-missing'] },
      { verdict: 'conforms' },
    ],
    ['of a violation', { data: () => json({}, 500) }, {}, { verdict: 'violates' }],
  ])('%s', async (_name, parts, options, expected) => {
    expect(await checkInProcess(parts, options)).toMatchObject(expected)
  })
})
