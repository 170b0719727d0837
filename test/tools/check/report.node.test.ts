import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { applyBaseline } from '../../../src/tools/cli/commands/baseline.ts'
import { formatReport } from '../../../src/tools/check/report/reporters/index.ts'
import { BROKEN } from '../../fixtures/endpoints/broken.ts'
import { endpoint, HEADERS, json, payload } from '../../fixtures/endpoints/reference.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { brokenRules, checkAsCommand, findResult, serveInProcess } from './helpers.ts'

const listen = listenConcurrently()

const schema = JSON.parse(
  readFileSync(new URL('../../../schema/check-report.json', import.meta.url), 'utf8'),
) as object

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true })
addFormats.default(ajv)
const validate = ajv.compile(schema)

function schemaErrors(report: unknown) {
  validate(JSON.parse(JSON.stringify(report)))
  return validate.errors ?? []
}

const failingApp = () =>
  endpoint({
    data: (received) =>
      json(received, payload(received), {
        headers: { 'x-sidecard-failure': 'section_failed;component=2', 'x-sidecard-trace': 'abc' },
      }),
  })

describe.concurrent('a JSON report', () => {
  it.each([
    ['a conformant endpoint', () => serveInProcess(endpoint()), {}],
    ['every detail', () => serveInProcess(endpoint()), { details: true, latencySamples: 3 }],
    ['a failing app', () => serveInProcess(failingApp()), { details: true }],
    ['an unreachable endpoint', async () => 'http://127.0.0.1:1/', {}],
    ['some rules', () => serveInProcess(endpoint()), { only: ['handshake'] }],
  ])('of %s matches the published schema', async (_name, makeUrl, options) => {
    expect(schemaErrors(await checkAsCommand(await makeUrl(), options))).toEqual([])
  })

  const oneOfEachRule = [...Map.groupBy(BROKEN, ({ rule }) => rule).values()].flatMap(([first]) =>
    first === undefined || first.rule === 'response-time' ? [] : [first],
  )
  it.each(oneOfEachRule)(
    'of an endpoint that violates $rule matches it',
    async ({ rule, make }) => {
      const serve = rule.startsWith('response-') ? listen : serveInProcess
      const report = await checkAsCommand(await serve(make()), { samples: 2, timeoutMs: 2_000 })
      expect(schemaErrors(report)).toEqual([])
    },
  )

  it('with a baseline matches it', async () => {
    const report = await checkAsCommand(await serveInProcess(failingApp()))
    expect(schemaErrors(applyBaseline(report, ['data-failure', 'uri']))).toEqual([])
  })

  it('of another version, or with another field, does not match it', async () => {
    const report = await checkAsCommand(await serveInProcess(endpoint()))
    expect(schemaErrors({ ...report, version: 1 })).not.toEqual([])
    expect(schemaErrors({ ...report, secret: 1 })).not.toEqual([])
    expect(schemaErrors({ ...report, verdict: 'fine' })).not.toEqual([])
  })
})

describe.concurrent('a baseline', () => {
  it('results in conforms for a known failure, and in violates for a stale entry', async () => {
    const report = await checkAsCommand(await serveInProcess(failingApp()))
    expect(applyBaseline(report, ['data-failure']).verdict).toBe('not_proven')
    expect(applyBaseline(report, ['data-failure', 'uri']).verdict).toBe('violates')
  })

  it('does not hide open customer data', async () => {
    const report = await checkAsCommand(
      await serveInProcess(endpoint({ authorized: () => true })),
      {
        headers: {},
      },
    )
    expect(applyBaseline(report, ['auth-none']).verdict).toBe('not_proven')
  })
})

describe.concurrent('the report in other formats', () => {
  const chart = endpoint({
    data: (received) => json(received, payload(received, [{ type: 'chart' }])),
  })
  const failing = () => serveInProcess(chart).then((url) => checkAsCommand(url))

  it('is a JUnit failure for each failed rule and for the verdict', async () => {
    const report = await failing()
    const xml = formatReport(report, 'junit')
    const { title, findings } = findResult(report, 'component-type')
    const [finding] = findings
    expect(xml.match(/<failure /g)).toHaveLength(2)
    expect(xml).toContain(
      `<testcase classname="sidecard.components" name="component-type: ${title}">\n      <failure type="MUST" message="${finding?.path}: `,
    )
    expect(xml).toContain('see: npx sidecard check --explain component-type')
    expect(xml).toMatch(
      /<testcase classname="sidecard\.verdict" name="violates">\n\s+<failure message="The endpoint violates the contract\. Not proven: [^"]*"\/>/,
    )
    expect(xml).toMatch(/^<\?xml[^>]*\?>\n<testsuites [^>]*tests="\d+" failures="2"/)
  })

  it('is a JUnit failure for a run without evidence', async () => {
    const report = await checkAsCommand(await serveInProcess(endpoint()), { only: ['auth-none'] })
    expect(formatReport(report, 'junit')).toMatch(
      /<testcase classname="sidecard\.verdict" name="not_proven">\n\s+<failure /,
    )
  })

  it('is a GitHub error for a failure, a warning for a warning, a notice for advice', async () => {
    const failed = formatReport(await failing(), 'github')
    expect(failed).toMatch(/^::error title=sidecard component-type::components\[3\]\.type: /)
    expect(failed).toMatch(/\n::error title=sidecard check::http:[^\n]*The endpoint violates/)
    const list = { type: 'badge', label: 'B', items: [] }
    const url = await serveInProcess(
      endpoint({
        data: (received) => json(received, { ...payload(received, [list]), theme: 'dark' }),
      }),
    )
    const warned = await checkAsCommand(url)
    expect(brokenRules(warned)).toEqual(['unknown-fields', 'component-empty'])
    expect(formatReport(warned, 'github')).toMatch(
      /^::warning title=sidecard unknown-fields::[^\n]*\n::notice title=sidecard component-empty::[^\n]*\n::error title=sidecard check::/,
    )
    expect(formatReport(warned, 'github', { strict: true })).toMatch(
      /^::error title=sidecard unknown-fields::[^\n]*\n::notice title=sidecard component-empty::[^\n]*\n::error title=sidecard check::/,
    )
  })

  it('shows the times by type of request in the human format', async () => {
    const report = await checkAsCommand(await serveInProcess(endpoint()), { latencySamples: 10 })
    const text = formatReport(report, 'human')
    for (const [name, { p50Ms, p95Ms, p99Ms, maxMs }] of Object.entries(report.timings)) {
      expect(text).toMatch(
        new RegExp(
          `${name} +p50 ${p50Ms} ms   p95 ${p95Ms} ms   p99 ${p99Ms} ms   max ${maxMs} ms   \\(10 responses\\)`,
        ),
      )
    }
  })

  it('counts one warning and one known failure without a plural', async () => {
    const url = await serveInProcess(endpoint({ authorized: () => true }))
    const report = await checkAsCommand(url, { headers: {} })
    expect(formatReport(report, 'human')).toMatch(/\n1 warning, \d+ passed/)
    expect(formatReport(applyBaseline(report, ['auth-none']), 'human')).toContain(
      '1 known failure,',
    )
  })
})

describe.concurrent('a report with details', () => {
  it('contains neither the secret, nor values of the query, nor the passed IDs', async () => {
    const url = await serveInProcess(endpoint())
    const report = await checkAsCommand(`${url}w?token=hunter2`, {
      details: true,
      customers: [{ ids: { account_id: 'acme-corp-7', requester_email: 'jo@acme.example' } }],
    })
    expect(report.exchanges).toHaveLength(report.requests)
    const requests = JSON.stringify(report.exchanges)
    for (const value of [
      HEADERS['x-key'],
      'hunter2',
      'acme-corp-7',
      'jo@acme.example',
      'jo%40acme',
    ]) {
      expect(requests).not.toContain(value)
    }
    expect(formatReport(report, 'json')).not.toContain('hunter2')
  })

  it('contains commands that send the same requests from a shell', async () => {
    const seen: string[] = []
    const inner = endpoint()
    const url = await serveInProcess((request, response) => {
      seen.push(`${request.url} ${String(request.headers['x-key'])}`)
      inner(request, response)
    })
    const ids = { account_id: 'acme', requester_email: 'jo@acme.example' }
    const { exchanges = [] } = await checkAsCommand(url, { details: true, customers: [{ ids }] })
    const index = exchanges.findIndex(({ name }) => name === 'data fetch 1')
    const curl = exchanges[index]?.curl.replace('curl --include --globoff', 'printf "%s\\n"') ?? ''
    const env = {
      ACCOUNT_ID: 'acme',
      REQUESTER_EMAIL: 'jo%40acme.example',
      X_KEY: HEADERS['x-key'],
    }
    const { stdout } = spawnSync('sh', ['-c', curl], { env, encoding: 'utf8' })
    const [, header, address] = stdout.trim().split('\n')
    expect(seen).toContain(`${address?.replace(url, '/')} ${header?.replace('x-key: ', '')}`)
  })
})

describe.concurrent('a report without details', () => {
  it('contains no customer data', async () => {
    const url = await serveInProcess(
      endpoint({
        data: (received) =>
          json(
            received,
            payload(received, [{ type: 'text', label: 'Name', value: 'Jo Q. Public' }]),
          ),
      }),
    )
    const report = await check(url, {
      headers: HEADERS,
      customers: [{ ids: { account_id: 'acme-corp-7' } }],
    })
    for (const reporter of ['human', 'json', 'junit', 'github'] as const) {
      expect(formatReport(report, reporter)).not.toMatch(/Jo Q\. Public|acme-corp-7/)
    }
  })
})
