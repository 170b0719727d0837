import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import type { MonitorLine } from '../../src/cli/commands/check-monitor.ts'
import { endpoint, HEADERS, json, payload } from '../fixtures/endpoints/reference.ts'
import { cli } from '../helpers/cli.ts'
import { listenConcurrently } from '../helpers/listen.ts'

const listen = listenConcurrently()

const KEY = `x-key: ${HEADERS['x-key']}`

async function monitor(args: readonly string[]) {
  const { exitCode, stdout, stderr } = await cli(['monitor', ...args])
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as MonitorLine)
  return { exitCode, stderr, stdout, lines }
}

describe.concurrent('sidecard monitor', () => {
  it('prints one JSON line per run, and exits 0', async () => {
    const url = await listen(endpoint())
    const { exitCode, lines, stderr } = await monitor([url, '-H', KEY, '--runs', '1'])
    expect(exitCode).toBe(0)
    expect(stderr).toBe('')
    expect(lines).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        run: 1,
        ok: true,
        verdict: 'conforms',
        handshakeMs: expect.any(Number),
        dataMs: expect.any(Number),
        failed: [],
        warnings: [],
        failures: [],
        changes: [],
      },
    ])
  })

  it('sends a handshake before and after one data fetch for each customer, and nothing else', async () => {
    const queries: string[] = []
    const inner = endpoint()
    const url = await listen((request, response) => {
      const params = new URL(request.url ?? '', 'http://x').searchParams
      queries.push(`${params.get('request_type')} ${params.get('account_id')}`)
      inner(request, response)
    })
    const params = ['--param', 'account_id=acme', '--param', 'account_id=globex']
    await monitor([url, '-H', KEY, ...params, '--runs', '1'])
    expect(queries.sort()).toEqual([
      'fetch_data acme',
      'fetch_data globex',
      'verify null',
      'verify null',
    ])
  })

  it('reports changes, and exits 1 after a run that did not pass', async () => {
    let handshakes = 0
    const url = await listen(
      endpoint({
        verify(received) {
          handshakes += 1
          json(received, { code: received.code })
        },
        data: (received) =>
          json(received, payload(received), {
            headers:
              // Each run ends with its second handshake.
              handshakes === 2 || handshakes === 3
                ? { 'x-sidecard-failure': 'timeout', 'x-sidecard-trace': 'k3m9' }
                : {},
          }),
      }),
    )
    const { exitCode, lines, stderr } = await monitor([
      url,
      '-H',
      KEY,
      '--runs',
      '3',
      '--every',
      '1s',
    ])
    expect(lines.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(lines.map(({ changes }) => changes)).toEqual([
      [],
      ['conforms became violates', 'data-failure fails now'],
      ['violates became conforms', 'data-failure passes now'],
    ])
    expect(lines[1]?.failures).toEqual([
      { request: 'data fetch 1', kind: 'timeout', stale: false, traceId: 'k3m9' },
    ])
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      'sidecard monitor: conforms became violates, data-failure fails now. The endpoint violates the contract.',
      'sidecard monitor: violates became conforms, data-failure passes now. The endpoint conforms to the contract.',
    ])
    expect(exitCode).toBe(1)
  })

  it('reports no change of a rule that it could not evaluate', async () => {
    let requests = 0
    const inner = endpoint({
      data: (received) =>
        json(
          received,
          payload(received, [
            { type: 'badge', label: 'B', items: [{ value: 'V', color: 'pink' }] },
          ]),
        ),
    })
    const url = await listen((request, response) => {
      requests += 1
      // A run sends three requests, or the first two, again if there is no response.
      if (requests === 4 || requests === 5) response.writeHead(429).end()
      else if (requests > 5 && requests <= 9) response.destroy()
      else inner(request, response)
    })
    const { lines } = await monitor([url, '-H', KEY, '--runs', '4', '--every', '1s'])
    expect(lines.map(({ changes }) => changes)).toEqual([
      [],
      ['violates became rate_limited', 'response-rate-limit fails now'],
      ['rate_limited became violates'],
      ['response-http passes now'],
    ])
  })

  it('waits between the starts of two runs', async () => {
    const { lines } = await monitor([
      await listen(endpoint()),
      '-H',
      KEY,
      '--runs',
      '2',
      '--every',
      '1s',
    ])
    const [first, second] = lines.map(({ time }) => Date.parse(time))
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('exits 3 if no run reached the endpoint', async () => {
    const { exitCode, lines } = await monitor(['http://127.0.0.1:1/', '--runs', '1'])
    expect(lines[0]).toMatchObject({ ok: false, verdict: 'unreachable', failed: ['reachable'] })
    expect(exitCode).toBe(3)
  })

  it('fails a run over its budget', async () => {
    const inner = endpoint()
    const url = await listen((request, response) => {
      setTimeout(() => inner(request, response), 40)
    })
    const { exitCode, lines } = await monitor([url, '-H', KEY, '--runs', '1', '--max-p95', '10'])
    expect(lines[0]?.failed).toEqual(['latency-budget'])
    expect(exitCode).toBe(1)
  })

  it('prints neither secrets nor the IDs that were passed', async () => {
    const url = await listen(
      endpoint({ data: (received) => json(received, { echo: received.request.headers }) }),
    )
    const { stdout, stderr } = await monitor([
      `${url}?token=hunter2`,
      '-H',
      KEY,
      '--param',
      'account_id=acme-corp-7',
      '--runs',
      '1',
    ])
    expect(stdout + stderr).not.toMatch(/hunter2|sekret|acme-corp-7/)
  })

  it.each([
    [[], /Pass the URL of the endpoint/],
    [['http://127.0.0.1', '--every', '60'], /--every must be a duration .* written with its unit/],
    [['http://127.0.0.1', '--every', '0s'], /--every must be a duration/],
    [['http://127.0.0.1', '--runs', '0'], /--runs must be a positive integer/],
    [['http://127.0.0.1', '--param', 'acount_id=3'], /Did you mean account_id\?/],
  ])('exits 2 and shows the usage: %j', async (args, message) => {
    const { exitCode, stderr, stdout } = await monitor(args)
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('ends immediately if it is interrupted between two runs', { timeout: 20_000 }, async () => {
    const bin = new URL('../../src/cli/bin.ts', import.meta.url).pathname
    const url = await listen(endpoint())
    const child = spawn(process.execPath, [bin, 'monitor', url, '-H', KEY, '--every', '1h'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    expect(JSON.parse(line)).toMatchObject({ run: 1, ok: true })
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(130)
  })
})
