import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { endpoint, json, payload, send } from '../../fixtures/endpoints/reference.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { brokenRules, checkAsCommand, findResult, notEvaluated } from './helpers.ts'

const listen = listenConcurrently()

/** An endpoint that rejects requests while its rate limit is used up. */
function limited(reject: (response: ServerResponse, count: number) => boolean) {
  const inner = endpoint()
  let count = 0
  return (request: IncomingMessage, response: ServerResponse) => {
    count += 1
    if (!reject(response, count)) inner(request, response)
  }
}

const tooMany = (response: ServerResponse, retryAfter: string, status = 429) => {
  response.writeHead(status, { 'retry-after': retryAfter, 'content-type': 'application/json' })
  response.end('{"error":"slow down"}')
  return true
}

describe.concurrent('an endpoint that limits the rate of requests', () => {
  it.each([
    ['429 with seconds', 429, '2', [2_000]],
    ['503 with seconds', 503, '3', [3_000]],
    ['429 with a date that has passed', 429, new Date(0).toUTCString(), [100]],
    ['429 without Retry-After', 429, '', [1_000, 2_000, 4_000, 8_000]],
  ])('delays the check: %s', async (_name, status, retryAfter, delays) => {
    const waits: number[] = []
    let rejected = 0
    const url = await listen(
      limited((response, count) => {
        if (count % 7 !== 0 || rejected >= 4) return false
        rejected += 1
        return tooMany(response, retryAfter, status)
      }),
    )
    const sleep = async (ms: number) => void waits.push(ms)
    const report = await checkAsCommand(url, { sleep })
    // Three pauses follow the first requests on one connection, and one precedes the final handshake.
    expect(waits.length).toBeGreaterThan(3)
    const pauses = waits.filter((ms) => !delays.includes(ms))
    expect(pauses.filter((ms) => ms !== 100)).toEqual([300])
    expect(brokenRules(report)).toEqual([])
    expect(report.verdict).toBe('not_proven')
  })

  it('delays the check on the real clock', async () => {
    let firstAt: number | undefined
    const url = await listen(
      limited((response) => Date.now() - (firstAt ??= Date.now()) < 900 && tooMany(response, '1')),
    )
    const report = await checkAsCommand(url)
    expect(report.verdict).toBe('not_proven')
    expect(report.durationMs).toBeGreaterThanOrEqual(900)
  })

  it('delays the check once if it rejects several requests together', async () => {
    const waits: number[] = []
    const url = await listen(
      // The first two requests are sent alone, and then eight at a time.
      limited((response, count) => count > 2 && count <= 10 && tooMany(response, '1')),
    )
    const sleep = async (ms: number) => void waits.push(ms)
    const report = await checkAsCommand(url, { sleep })
    expect(report.verdict).toBe('not_proven')
    expect(waits).toEqual([1_000, 100, 100, 100, 300])
  })

  it('is reported if it exceeds the maximum wait', async () => {
    let requests = 0
    const url = await listen(
      limited((response, count) => {
        requests += 1
        return count > 20 && tooMany(response, '120')
      }),
    )
    const report = await checkAsCommand(url, { maxWaitMs: 5_000 })
    expect(brokenRules(report)).toEqual(['response-rate-limit'])
    const [finding] = findResult(report, 'response-rate-limit').findings
    expect(finding?.message).toMatch(
      /rejected with 429 and Retry-After: 120, after waiting for 0 s/,
    )
    expect(report.verdict).toBe('not_proven')
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
    expect(requests).toBeLessThan(170)
  })

  it('from the first request on skips every other rule', async () => {
    const url = await listen(limited((response) => tooMany(response, '3600')))
    const report = await checkAsCommand(url)
    expect(brokenRules(report)).toEqual(['response-rate-limit'])
    const passed = report.results.filter(({ status }) => status === 'pass')
    expect(passed.map(({ rule }) => rule)).toEqual(['security-https'])
    expect(report.requests).toBe(2)
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(1)
  })

  it('is not assumed for a 503 without Retry-After', async () => {
    const url = await listen(
      endpoint({ data: (received) => json(received, payload(received), { status: 503 }) }),
    )
    expect(brokenRules(await checkAsCommand(url))).toEqual(['data-status'])
  })
})

describe.concurrent('a wrong Content-Type', () => {
  it('does not prevent other rules from being evaluated', async () => {
    const url = await listen(
      endpoint({
        verify: (received) => send(received, JSON.stringify({ code: received.code }), 'text/html'),
        data: (received) => send(received, JSON.stringify(payload(received)), 'text/html'),
      }),
    )
    const report = await checkAsCommand(url)
    expect(brokenRules(report)).toEqual(['handshake-content-type', 'data-content-type'])
    expect(notEvaluated(report).toSorted()).toEqual(
      [
        'data-shows',
        'security-shared-values',
        'data-unknown',
        'security-isolation',
        'security-unknown',
        'auth-header-unread',
        'auth-none',
        'data-content-type-exact',
        'data-outcome',
        'latency-budget',
      ].sort(),
    )
  })

  it('does not hide problems of the body', async () => {
    const grey = { type: 'badge', label: 'L', items: [{ value: 'a', color: 'grey' }] }
    const url = await listen(
      endpoint({
        verify: (received) => send(received, `{"code":"${received.code}","ok":true}`, 'text/html'),
        data: (received) =>
          send(received, `\uFEFF${JSON.stringify(payload(received, [grey]))}`, 'text/plain'),
      }),
    )
    expect(brokenRules(await checkAsCommand(url))).toEqual([
      'handshake-content-type',
      'handshake-fields',
      'data-content-type',
      'data-utf8',
      'badge-color',
    ])
  })
})

describe.concurrent('profiles', () => {
  const recording = () => {
    const queries: string[] = []
    let active = 0
    let most = 0
    const inner = endpoint()
    const handler = (request: IncomingMessage, response: ServerResponse) => {
      queries.push(request.url?.split('?')[1] ?? '')
      active += 1
      most = Math.max(most, active)
      response.on('close', () => (active -= 1))
      setTimeout(() => inner(request, response), 2)
    }
    return { handler, queries, most: () => most }
  }
  const isMalformed = (query: string) => {
    const params = new URLSearchParams(query)
    const type = params.get('request_type')
    return (
      (type !== 'verify' && type !== 'fetch_data') ||
      (type === 'verify' && !params.get('code')) ||
      /%E0%A4%A(?!\w)/.test(query)
    )
  }

  it('production sends no malformed requests and at most two at a time', async () => {
    const { handler, queries, most } = recording()
    const report = await checkAsCommand(await listen(handler), { profile: 'production' })
    expect(queries.filter(isMalformed)).toEqual([])
    expect(most()).toBeLessThanOrEqual(2)
    expect(findResult(report, 'errors-server').reason).toBe(
      'no invalid requests are sent (profile production)',
    )
    expect(report.verdict).toBe('not_proven')
    expect(findResult(report, 'auth-data-wrong').status).toBe('pass')
    const full = recording()
    await checkAsCommand(await listen(full.handler))
    expect(full.queries.filter(isMalformed).length).toBeGreaterThan(4)
  })
})

describe.concurrent('several customers', () => {
  it('are each fetched and validated', async () => {
    const url = await listen(
      endpoint({
        data: (received) =>
          received.params.get('account_id') === 'globex'
            ? json(received, payload(received, [{ type: 'chart' }]))
            : json(received, payload(received)),
      }),
    )
    const customers = ['acme', 'globex'].map((id) => ({ ids: { account_id: id } }))
    const report = await checkAsCommand(url, { customers })
    expect(brokenRules(report)).toEqual(['component-type'])
    expect(findResult(report, 'component-type').findings[0]?.message).toContain(
      'data fetch for customer 2',
    )
  })
})

describe('measuring', () => {
  it('sends repeated requests one of each kind at a time, and reports percentiles', async () => {
    let active = 0
    let most = 0
    const inner = endpoint()
    const url = await listen((request, response) => {
      active += 1
      most = Math.max(most, active)
      response.on('close', () => (active -= 1))
      inner(request, response)
    })
    const report = await checkAsCommand(url, {
      profile: 'production',
      samples: 1,
      latencySamples: 40,
    })
    expect(most).toBeLessThanOrEqual(2)
    for (const timing of [report.timings.handshake, report.timings.data]) {
      expect(timing.count).toBe(40)
      expect(timing.p50Ms).toBeLessThanOrEqual(timing.p95Ms)
      expect(timing.p95Ms).toBeLessThanOrEqual(timing.p99Ms)
      expect(timing.p99Ms).toBeLessThanOrEqual(timing.maxMs)
    }
  })

  it('fails only a run over its budget', async () => {
    const slow = endpoint()
    const url = await listen(
      (request, response) => void setTimeout(() => slow(request, response), 30),
    )
    const over = await checkAsCommand(url, { maxP95Ms: 5, latencySamples: 3, samples: 2 })
    expect(brokenRules(over)).toEqual(['latency-budget'])
    expect(findResult(over, 'latency-budget').findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^p95 of 3 handshakes is \d+ ms, the budget is 5 ms$/),
      expect.stringMatching(/^p95 of 3 data fetches is \d+ ms, the budget is 5 ms$/),
    ])
    expect(exitCodeOf(over, { allowUnproven: true })).toBe(1)
    const within = await checkAsCommand(url, { maxP95Ms: 30_000, samples: 2 })
    expect(findResult(within, 'latency-budget').status).toBe('pass')
  })

  it('counts a failed repeated request', async () => {
    let count = 0
    const url = await listen(
      endpoint({
        data: (received) =>
          json(received, payload(received), { status: (count += 1) === 20 ? 500 : 200 }),
      }),
    )
    const report = await checkAsCommand(url, {
      profile: 'production',
      samples: 1,
      latencySamples: 30,
    })
    expect(brokenRules(report)).toEqual(['data-consistent'])
    expect(findResult(report, 'data-consistent').findings[0]?.message).toContain(
      'repeated data fetch 14: returned 500',
    )
  })
})
