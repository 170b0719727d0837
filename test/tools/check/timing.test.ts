import { describe, expect, it } from 'vitest'
import type { CheckOptions } from 'sidecard/check'
import { checkInProcess, dataFails, findingLines, json, payload } from './in-process.ts'
import type { Answer, Parts } from './in-process.ts'

describe('a rate limit', () => {
  const limits = (from: number, headers: Record<string, string>, status = 429): Answer => {
    return (received) =>
      received.count < from ? json(payload(received)) : json({}, status, headers)
  }

  it.each<readonly [string, Record<string, string>, number, readonly number[]]>([
    ['without a time', {}, 429, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000]],
    ['with seconds', { 'retry-after': ' 30 ' }, 429, Array(6).fill(30_000) as number[]],
    ['with a status of 503', { 'retry-after': '90' }, 503, [90_000, 90_000]],
    [
      'with a date',
      { 'retry-after': 'Sun, 22 Nov 2026 09:01:00 GMT', date: 'Sun, 22 Nov 2026 09:00:00 GMT' },
      429,
      [60_000, 60_000, 60_000],
    ],
    [
      'with an unreadable time',
      { 'retry-after': '30s' },
      429,
      [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 64_000],
    ],
  ])(
    '%s is waited for, as long as all waits take at most the maximum',
    async (_name, headers, status, waits) => {
      const waited: number[] = []
      const sleep = async (ms: number) => void waited.push(ms)
      const options: CheckOptions = { profile: 'production', samples: 1, maxWaitMs: 191_000, sleep }
      const report = await checkInProcess({ data: limits(1, headers, status) }, options)
      expect(waited).toEqual(waits)
      expect(report.requests).toBe(2 + waits.length)
      expect(report).toMatchObject({ verdict: 'not_proven', rateLimited: true })
    },
  )

  it('of zero seconds is waited for a tenth of a second', async () => {
    const waited: number[] = []
    const sleep = async (ms: number) => void waited.push(ms)
    const data = limits(1, { 'retry-after': '0' })
    await checkInProcess({ data }, { profile: 'production', samples: 1, maxWaitMs: 300, sleep })
    expect(waited).toEqual([100, 100, 100])
  })

  it('that lasts is a finding that names the requests, and their evidence is left out', async () => {
    const sleep = async () => undefined
    const options: CheckOptions = { maxWaitMs: 4_500, sleep, details: true }
    const data = limits(8, { 'retry-after': '2' })
    const report = await checkInProcess({ data }, options)
    expect(findingLines(report)).toEqual([
      'fail | response-rate-limit | data fetch 3, data fetch 4, data fetch 5 and 56 more: rejected with 429 and Retry-After: 2, after waiting for 4 s',
    ])
    expect(report.timings.data.count).toBe(7)
    expect(report.exchanges?.filter(({ status }) => status === 429)).toHaveLength(63)
  })

  it('without a time is a finding without one', async () => {
    const options: CheckOptions = { maxWaitMs: 0 }
    const report = await checkInProcess({ verify: () => json({}, 429) }, options)
    expect(findingLines(report)).toEqual([
      'fail | response-rate-limit | handshake 1: rejected with 429, after waiting for 0 s',
    ])
  })

  it('is a finding with the time, if that is a number', async () => {
    const rejects = (after: string) => ({
      verify: () => json({}, 429, { 'retry-after': after }),
    })
    const message = async (after: string) =>
      findingLines(await checkInProcess(rejects(after), { maxWaitMs: 0 }))
    expect(await message('90')).toEqual([
      'fail | response-rate-limit | handshake 1: rejected with 429 and Retry-After: 90, after waiting for 0 s',
    ])
    expect(await message('90 s')).toEqual([
      'fail | response-rate-limit | handshake 1: rejected with 429, after waiting for 0 s',
    ])
  })

  it('is not meant by a 503 without a time', async () => {
    const report = await checkInProcess({ data: dataFails(() => true, 503) })
    expect(findingLines(report)).toEqual(['fail | data-status | returned 503, expected 200'])
  })
})

describe('a response time', () => {
  type Kind = 'verify' | 'data'

  /** The requests of a check with one sample that precede the repeated ones. */
  const BEFORE = { verify: 9, data: 6 }

  /** The times of the first handshake and data fetch, and of the repeated ones, of which one kind waits for the other. */
  function timed(times: Readonly<Record<Kind, readonly number[]>>, last?: Kind) {
    let clock = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const left = { verify: [...times.verify], data: [...times.data] }
    const take = async (kind: Kind, count: number) => {
      if (count > 1 && count <= BEFORE[kind]) return
      if (kind === last && count > 1) await promise
      clock += left[kind].shift() ?? 0
      if (kind !== last && left[kind].length === 0) resolve()
    }
    return {
      now: () => clock,
      parts: {
        async verify({ code, count }) {
          await take('verify', count)
          return json({ code })
        },
        async data(received) {
          await take('data', received.count)
          return json(payload(received))
        },
      } satisfies Parts,
    }
  }

  it.each<readonly [string, number, number, readonly string[]]>([
    ['just below the limit', 0, 2_499.4, []],
    ['at the limit', 0, 2_500, ['warn | latency-slow | handshake 1 took 2500 ms']],
    ['of a handshake', 2_600.5, 0, ['warn | latency-slow | handshake 1 took 2601 ms']],
  ])('%s', async (_name, handshake, data, findings) => {
    const { now, parts } = timed({ verify: [handshake], data: [data] })
    // The first two requests overlap, so both take as long.
    const report = await checkInProcess(parts, { now, only: ['latency'] })
    expect(findingLines(report)).toEqual(findings)
  })

  it('that is the longest is named', async () => {
    const { now, parts } = timed({ verify: [0, 2_600, 0], data: [0, 2_700, 2_800] }, 'data')
    const options: CheckOptions = { profile: 'production', samples: 1, latencySamples: 2, now }
    expect(findingLines(await checkInProcess(parts, options))).toEqual([
      'warn | latency-slow | repeated data fetch 2 took 2800 ms',
    ])
  })

  it.each<readonly [string, Kind, number, readonly string[]]>([
    ['over the budget', 'data', 99, ['p95 of 3 data fetches is 100 ms, the budget is 99 ms']],
    ['over the budget', 'verify', 99, ['p95 of 3 handshakes is 100 ms, the budget is 99 ms']],
    ['within the budget', 'data', 100, []],
    ['within the budget', 'verify', 100, []],
  ])('%s, of one type of request: %s', async (_name, kind, maxP95Ms, messages) => {
    const times = { verify: [0, 0, 0, 0], data: [0, 0, 0, 0], [kind]: [0, 80, 100, 90] }
    const { now, parts } = timed(times, kind)
    const options: CheckOptions = {
      profile: 'production',
      samples: 1,
      latencySamples: 3,
      now,
      maxP95Ms,
    }
    expect(findingLines(await checkInProcess(parts, options))).toEqual(
      messages.map((message) => `fail | latency-budget | ${message}`),
    )
  })

  it('of a failed request is not slow', async () => {
    let clock = 0
    const verify = () => {
      clock += 9_000
      throw new Error('no')
    }
    const data: Answer = async (received) => {
      await Promise.resolve()
      return json(payload(received))
    }
    const options: CheckOptions = { now: () => clock, only: ['latency'] }
    const { results, timings } = await checkInProcess({ verify, data }, options)
    expect(timings.handshake.count).toBe(0)
    expect(results.map(({ status }) => status)).toEqual(['pass', 'pass', 'not_applicable'])
  })

  it('is reported as percentiles', async () => {
    const times = Array.from({ length: 100 }, (_, index) => index)
    const { now, parts } = timed({ verify: [], data: [0, ...times] })
    const options: CheckOptions = { profile: 'production', samples: 1, latencySamples: 100, now }
    const { timings } = await checkInProcess(parts, options)
    expect(timings.data).toEqual({
      count: 100,
      p50Ms: 49,
      p95Ms: 94,
      p99Ms: 98,
      maxMs: 99,
    })
  })

  it('is not reported without a complete response', async () => {
    const fails = () => {
      throw new Error('no')
    }
    const { timings } = await checkInProcess({ authorized: fails })
    const none = { count: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 }
    expect(timings).toEqual({ handshake: none, data: none })
  })
})
