import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { formatReport } from '../../../src/tools/check/report/reporters/index.ts'
import { endpoint, json, payload } from '../../fixtures/endpoints/reference.ts'
import type { ReceivedRequest } from '../../fixtures/endpoints/reference.ts'
import { brokenRules, checkAsCommand, findResult, runCheck, serveInProcess } from './helpers.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'

const listen = listenConcurrently()

const KEY = `x-key: ${HEADERS['x-key']}`
const TRACE = 'k3m9x2c4v5b6'

const STACK = `Error: db down
    at query (/app/node_modules/pg/lib/client.js:90:3)
    at node:internal/process/task_queues:95:5
    at fetchData (/app/src/app.ts:12:9)
    at run (/app/src/run.ts:3:1)`

/** Like an app in development, it only sends the error if the request asks for it. */
function developmentApp(received: ReceivedRequest): void {
  const details = [
    {
      kind: 'section_failed',
      section: 'Recent errors',
      component: 2,
      error: { name: 'Error', message: 'db down', stack: STACK },
    },
  ]
  const asksForErrors = received.request.headers['x-sidecard-dev'] === '1'
  json(received, payload(received), {
    headers: {
      'x-sidecard-failure': 'section_failed;component=2',
      'x-sidecard-trace': TRACE,
      ...(asksForErrors && {
        'x-sidecard-error': `:${Buffer.from(JSON.stringify(details)).toString('base64')}:`,
      }),
    },
  })
}

describe.concurrent('an endpoint that reports its own failure', () => {
  it('leaves the run not proven, with kind, component, trace ID, message and the first own stack line', async () => {
    const report = await checkAsCommand(await serveInProcess(endpoint({ data: developmentApp })))
    expect(brokenRules(report)).toEqual(['data-failure'])
    const [finding] = findResult(report, 'data-failure').findings
    expect(finding?.path).toBe('components[2]')
    expect(finding?.message).toContain('section_failed: a section failed (Recent errors): db down')
    expect(finding?.message).toContain(`trace ID ${TRACE}`)
    expect(finding?.message).toContain('at fetchData (/app/src/app.ts:12:9)')
    expect(finding?.message).not.toContain('node_modules')
    expect(report.failures[0]).toEqual({
      request: 'data fetch 1',
      kind: 'section_failed',
      component: 2,
      section: 'Recent errors',
      stale: false,
      traceId: TRACE,
      error: { name: 'Error', message: 'db down', frame: 'fetchData (/app/src/app.ts:12:9)' },
    })
    expect(report.verdict).toBe('not_proven')
    expect(exitCodeOf(report)).toBe(1)
  })

  it('receives the request for errors only on a loopback URL and with the secret', async () => {
    const received: Array<readonly [host: string, dev: string | null, key: string | null]> = []
    const fetch = async (request: Request) => {
      const { headers, url } = request
      received.push([new URL(url).hostname, headers.get('x-sidecard-dev'), headers.get('x-key')])
      const params = new URL(url).searchParams
      if (headers.get('x-key') !== HEADERS['x-key']) return new Response('', { status: 401 })
      return params.get('request_type') === 'verify'
        ? Response.json({ code: params.get('code') })
        : Response.json({ version: '1.0.0', header: { title: 'T' }, components: [] })
    }
    for (const host of ['localhost:8787', '127.0.0.1', '[::1]', 'app.localhost', 'acme.com']) {
      // oxlint-disable-next-line no-await-in-loop -- one host after the other
      await check(`http://${host}/`, { headers: HEADERS, fetch })
    }
    const withSecret = received.filter(([, , key]) => key === HEADERS['x-key'])
    const hosts = (dev: string | null) =>
      new Set(withSecret.filter((each) => each[1] === dev).map(([host]) => host))
    expect(hosts('1')).toEqual(new Set(['localhost', '127.0.0.1', '[::1]']))
    expect(received.filter(([, dev, key]) => dev === '1' && key !== HEADERS['x-key'])).toEqual([])
    expect(
      received.filter(
        ([host, dev]) => ['app.localhost', 'acme.com'].includes(host) && dev !== null,
      ),
    ).toEqual([])
  })

  it('warns about stale content and does not fail', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          json(received, payload(received), {
            headers: { 'x-sidecard-failure': 'section_timeout;component=1;stale' },
          }),
      }),
    )
    const report = await checkAsCommand(url)
    expect(brokenRules(report)).toEqual(['data-failure'])
    expect(findResult(report, 'data-failure').status).toBe('warn')
    expect(findResult(report, 'data-failure').findings[0]?.message).toContain(
      'stale content is shown',
    )
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
    expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(1)
  })

  it('is found in any data fetch of a check, even one without IDs', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          json(received, payload(received), {
            headers: received.params.has('account_id')
              ? {}
              : { 'x-sidecard-failure': 'callback_failed', 'x-sidecard-trace': TRACE },
          }),
      }),
    )
    const report = await checkAsCommand(url)
    expect(brokenRules(report)).toEqual(['data-failure'])
    expect(findResult(report, 'data-failure').findings[0]?.message).toContain(
      'data fetch without IDs',
    )
  })

  it('is also reported with a status of 500', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          json(
            received,
            { title: 'Timed out' },
            { status: 504, headers: { 'x-sidecard-failure': 'timeout' } },
          ),
      }),
    )
    expect(brokenRules(await checkAsCommand(url))).toEqual(['data-failure'])
  })

  it('shows kind and trace ID in every format', async () => {
    const report = await checkAsCommand(await serveInProcess(endpoint({ data: developmentApp })))
    for (const reporter of ['human', 'json', 'junit', 'github'] as const) {
      const text = formatReport(report, reporter).replaceAll(/\s+/g, ' ')
      expect([reporter, text.includes('section_failed'), text.includes(TRACE)]).toEqual([
        reporter,
        true,
        true,
      ])
    }
  })
})

/** Like an app that knows only one customer. */
const onlyKnows = (account: string) => (received: ReceivedRequest) =>
  json(received, payload(received), {
    headers:
      received.params.get('account_id') === account ? {} : { 'x-sidecard-outcome': 'not_found' },
  })

describe.concurrent('a run that saw no customer', () => {
  it('ends with advice to pass one, not with conforms', async () => {
    const url = await listen(endpoint({ data: onlyKnows('acme') }))
    const { exitCode, stdout } = await runCheck([url, '-H', KEY])
    expect(stdout).toMatch(/no customer data was checked\. To prove it, pass\s+--param /)
    expect(stdout).not.toContain('The endpoint conforms')
    expect(exitCode).toBe(1)
    const allowed = await runCheck([url, '-H', KEY, '--allow-unproven'])
    expect([allowed.exitCode, allowed.stderr]).toEqual([0, ''])
    expect(allowed.stdout).toMatch(/no customer data was checked/)
    const strict = await runCheck([url, '-H', KEY, '--strict'])
    expect(strict.exitCode).toBe(1)
    expect(strict.stdout).toMatch(/no customer data was checked\. To prove it, pass\s+--param /)
  })

  it.each(['human', 'json', 'junit', 'github'] as const)(
    'does not end in conforms in %s',
    async (reporter) => {
      const report = await checkAsCommand(
        await serveInProcess(endpoint({ data: onlyKnows('acme') })),
      )
      expect(report.verdict).toBe('not_proven')
      expect(formatReport(report, reporter)).not.toMatch(/"conforms"|The endpoint conforms/)
      expect(formatReport(report, reporter, { strict: true })).toMatch(
        /no_customer_data|[Nn]o customer data was checked/,
      )
    },
  )

  it('conforms once a customer is known', async () => {
    const url = await serveInProcess(endpoint({ data: onlyKnows('acme') }))
    const report = await checkAsCommand(url, { customers: [{ ids: { account_id: 'acme' } }] })
    expect(report.verdict).toBe('not_proven')
    expect(findResult(report, 'data-outcome').status).toBe('pass')
  })

  it('names the one of several customers that was not found', async () => {
    const url = await serveInProcess(endpoint({ data: onlyKnows('acme') }))
    const report = await checkAsCommand(url, {
      customers: [{ ids: { account_id: 'acme' } }, { ids: { account_id: 'globex' } }],
    })
    expect(brokenRules(report)).toEqual(['data-outcome'])
    expect(findResult(report, 'data-outcome').findings[0]?.message).toBe(
      'data fetch for customer 2: no customer matches these IDs; the agent sees a card with this message',
    )
  })
})
