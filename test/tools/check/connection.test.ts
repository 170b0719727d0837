import { describe, expect, it } from 'vitest'
import type { Connection } from '../../../src/tools/check/options.ts'
import {
  broken,
  checkInProcess,
  checkUrl,
  findingLines,
  findResult,
  inProcess,
} from './in-process.ts'
import type { Send } from './in-process.ts'

describe('an endpoint whose process ends because of an invalid request', () => {
  /** Fails from the first invalid request on, as often as told. */
  function mortal(failures: number): Send {
    let left = 0
    let isHit = false
    const app = inProcess()
    return async (request) => {
      const params = new URL(request.url).searchParams
      if (!isHit && !params.has('request_type')) {
        isHit = true
        left = failures
        return broken('ECONNRESET')
      }
      if (left > 0) {
        left -= 1
        return broken('ECONNREFUSED')
      }
      return app.fetch(request)
    }
  }

  it('violates the contract if it stays away', async () => {
    const report = await checkUrl(mortal(99), { details: true })
    expect(findingLines(report).at(-1)).toBe(
      'fail | errors-survive | the final handshake failed: the endpoint is unreachable (ECONNREFUSED)',
    )
    expect(report.exchanges?.at(-1)).toMatchObject({
      name: 'final handshake',
      failure: 'the endpoint is unreachable (ECONNREFUSED)',
    })
  })

  it('violates it as well if the rate of other requests is limited', async () => {
    const send = mortal(99)
    const limited = async (request: Request) =>
      request.headers.has('x-sidecard-check') ? new Response('', { status: 429 }) : send(request)
    const report = await checkUrl(limited, { maxWaitMs: 0 })
    const unreachable = (name: string) =>
      `warn | errors-server | ${name}: failed: the endpoint is unreachable (ECONNREFUSED)`
    expect(findingLines(report)).toEqual([
      'fail | response-rate-limit | data fetch with an extra header, request without a request_type, with an extra header: rejected with 429, after waiting for 0 s',
      'warn | errors-server | request without a request_type: failed: the connection was closed before a response arrived (ECONNRESET)',
      unreachable('request with an unknown request_type'),
      unreachable('handshake without a code'),
      unreachable('handshake with an empty code'),
      unreachable('handshake with two codes'),
      unreachable('data fetch with an operator'),
      unreachable('data fetch with two accounts'),
      unreachable('data fetch with a blank account'),
      unreachable('data fetch with a zero byte'),
      unreachable('data fetch with a broken email'),
      unreachable('data fetch with invalid percent-encoding'),
      unreachable('handshake with invalid percent-encoding'),
      'fail | errors-survive | the final handshake failed: the endpoint is unreachable (ECONNREFUSED)',
    ])
  })

  it('does not violate it if it returns', async () => {
    const report = await checkUrl(mortal(0), { details: true })
    expect(findingLines(report)).toEqual([
      'warn | errors-server | request without a request_type: failed: the connection was closed before a response arrived (ECONNRESET)',
    ])
    expect(findResult(report, 'errors-survive').status).toBe('pass')
    expect(report.exchanges?.at(-1)).toMatchObject({ name: 'final handshake', status: 200 })
  })

  it('violates it if the process ends after a response, in any profile', async () => {
    for (const profile of ['full', 'production'] as const) {
      let isAlive = true
      let isDoomed = false
      const app = inProcess()
      const send = async (request: Request) => {
        if (!isAlive) return broken('ECONNREFUSED')
        isDoomed ||= new URL(request.url).search === '?request_type=fetch_data'
        return app.fetch(request)
      }
      // The error in a timer comes when all requests have their responses.
      const sleep = async () => void (isAlive &&= !isDoomed)
      // oxlint-disable-next-line no-await-in-loop -- one profile at a time
      const report = await checkUrl(send, { sleep, profile })
      expect(findingLines(report)).toEqual([
        'fail | errors-survive | the final handshake failed: the endpoint is unreachable (ECONNREFUSED)',
      ])
    }
  })

  it('violates it if a proxy responds instead', async () => {
    const app = inProcess()
    let isAlive = true
    const report = await checkUrl(
      async (request) => (isAlive ? app.fetch(request) : new Response('', { status: 502 })),
      { sleep: async () => void (isAlive = false) },
    )
    expect(findingLines(report)).toEqual([
      'fail | errors-survive | the final handshake returned 502',
    ])
  })

  it('gets a second chance', async () => {
    const app = inProcess()
    let pauses = 0
    const report = await checkUrl(
      async (request) => (pauses === 1 ? broken('ECONNREFUSED') : app.fetch(request)),
      { sleep: async () => void (pauses += 1) },
    )
    expect(findingLines(report)).toEqual([])
    expect(pauses).toBe(2)
  })

  it('is not stopped without a final handshake', async () => {
    const { exchanges = [] } = await checkInProcess({}, { details: true })
    expect(exchanges.at(-1)).toMatchObject({ name: 'final handshake', status: 200 })
  })
})

describe('a reused connection', () => {
  const fine: Send = async (request) => inProcess().fetch(request)
  /** The second request on a connection fails. */
  const breaksLater = (): Send => {
    let count = 0
    return async (request) => ((count += 1) > 1 ? broken('ECONNRESET') : fine(request))
  }
  const never: Send = async () => broken('ECONNRESET')

  it.each<readonly [string, readonly Send[], boolean, string, number]>([
    ['that works', [fine], true, 'pass', 7],
    ['that breaks once', [breaksLater(), fine], true, 'pass', 9],
    [
      'that breaks again',
      [breaksLater(), breaksLater()],
      true,
      'the second request on one connection failed: the connection was closed before a response arrived (ECONNRESET)',
      4,
    ],
    [
      'that the endpoint closes',
      [breaksLater()],
      false,
      'no second request was sent on the connection',
      2,
    ],
    ['that cannot be opened', [never], true, 'no handshake succeeded on a new connection', 1],
  ])('%s', async (_connection, sends, isReused, expected, requests) => {
    const left = [...sends]
    let opened = 0
    let sent = 0
    const openConnection = (): Connection => {
      const send = left.shift() ?? never
      opened += 1
      return {
        send: async (request) => {
          sent += 1
          return send(request)
        },
        wasReused: () => isReused,
        hasExtraBytes: () => false,
        close: () => (opened -= 1),
      }
    }
    const report = await checkUrl(fine, { openConnection, details: true })
    const { status, findings, reason } = findResult(report, 'response-reused-connection')
    expect(findings[0]?.message ?? reason ?? status).toBe(expected)
    expect({ left: left.length, opened, sent }).toEqual({ left: 0, opened: 0, sent: requests })
    const names = report.exchanges
      ?.map(({ name }) => name)
      .filter((name) => /handshake on one conn/.test(name))
    expect(names).toEqual(
      // Those that are sent again are kept as well.
      sends.flatMap(() =>
        ['first', 'second']
          .slice(0, isReused && requests > 1 ? 2 : 1)
          .map((which) => `${which} handshake on one connection`),
      ),
    )
  })
})
