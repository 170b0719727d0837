import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { check } from 'sidecard/check'
import type { CheckOptions, Report } from 'sidecard/check'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { countedTokens, findingLines, inProcess } from './in-process.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Runs a check, on a clock that only moves when everything waits. */
async function run(fetch: (request: Request) => Promise<Response>, options: CheckOptions = {}) {
  const reports: Report[] = []
  const all = { headers: HEADERS, randomToken: countedTokens(), timeoutMs: 400, ...options }
  const report = check({ fetch }, all)
  void report.then((result) => reports.push(result))
  // oxlint-disable-next-line no-await-in-loop -- until it is done
  while (reports.length === 0) await vi.advanceTimersByTimeAsync(10)
  return report
}

const TIMED_OUT = ['handshake', 'data fetch'].map(
  (kind) => `fail | response-time | ${kind}: the response did not complete before the timeout`,
)

const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const never = () => new Promise<Response>(() => undefined)

describe('an endpoint that handles one request at a time', () => {
  /** Notes for each request how many are active. */
  function serial(ms: number) {
    const app = inProcess()
    const active: number[] = []
    let now = 0
    let queue = Promise.resolve()
    return {
      active,
      async fetch(request: Request) {
        now += 1
        active.push(now)
        queue = queue.then(async () => wait(ms))
        await queue
        now -= 1
        return app.fetch(request)
      },
    }
  }

  it('is tested again without concurrent requests, and conforms', async () => {
    const { fetch, active } = serial(50)
    const report = await run(fetch)
    expect(findingLines(report)).toEqual([])
    // No customers were passed, and the data is only the requested ID.
    expect(report.verdict).toBe('not_proven')
    expect(report.requests).toBeGreaterThan(51)
    expect(Math.max(...active)).toBeGreaterThan(8)
    // Afterwards, it gets one request at a time.
    expect(active.slice(-30)).toEqual(Array(30).fill(1))
  })

  it('that takes longer than the timeout, violates the contract', async () => {
    const report = await run(serial(401).fetch)
    expect(findingLines(report)).toEqual(TIMED_OUT)
  })
})

describe('an endpoint with a request that hangs', () => {
  it.each<readonly [string, number, readonly string[]]>([
    [
      'fast',
      49,
      [
        'fail | data-consistent | 1 of 11 data fetches failed; data fetch for made-up customer 2: the response did not complete before the timeout',
      ],
    ],
    ['so slow that the number of requests explains it', 50, []],
  ])('and others that are %s', async (_name, ms, findings) => {
    const app = inProcess()
    let count = 0
    const report = await run(async (request) => {
      if (request.url.includes('fetch_data') && (count += 1) === 3) return never()
      await wait(ms)
      return app.fetch(request)
    })
    expect(findingLines(report)).toEqual(findings)
  })

  it('always, gets four requests', async () => {
    const report = await run(never)
    expect(findingLines(report)).toEqual(TIMED_OUT)
    expect(report.requests).toBe(4)
  })
})
