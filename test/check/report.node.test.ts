import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { applyBaseline } from '../../src/check/baseline.ts'
import { formatReport } from '../../src/check/reporters/index.ts'
import { RULES } from '../../src/check/rules/index.ts'
import type { Report } from 'sidecard/check'
import { BROKEN } from '../fixtures/endpoints/broken.ts'
import { endpoint, HEADERS, json, payload } from '../fixtures/endpoints/reference.ts'
import { listenConcurrently } from '../helpers/listen.ts'
import { brokenRules, checkAsCommand, findResult } from './helpers.ts'

const listen = listenConcurrently()

const schema = JSON.parse(
  readFileSync(new URL('../../schema/check-report.json', import.meta.url), 'utf8'),
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
    ['a conformant endpoint', () => listen(endpoint()), {}],
    ['every detail', () => listen(endpoint()), { details: true, repeat: 3 }],
    ['a failing app', () => listen(failingApp()), { details: true }],
    ['an unreachable endpoint', async () => 'http://127.0.0.1:1/', {}],
    ['some rules', () => listen(endpoint()), { only: ['handshake'] }],
  ])('of %s matches the published schema', async (_name, makeUrl, options) => {
    expect(schemaErrors(await checkAsCommand(await makeUrl(), options))).toEqual([])
  })

  const oneOfEachRule = [...Map.groupBy(BROKEN, ({ rule }) => rule).values()].flatMap(([first]) =>
    first === undefined || first.rule === 'response-time' ? [] : [first],
  )
  it.each(oneOfEachRule)('of an endpoint that violates $rule matches it', async ({ make }) => {
    const report = await checkAsCommand(await listen(make()), { samples: 2, timeoutMs: 2_000 })
    expect(schemaErrors(report)).toEqual([])
  })

  it('with a baseline matches it', async () => {
    const report = await checkAsCommand(await listen(failingApp()))
    expect(schemaErrors(applyBaseline(report, ['data-failure', 'uri']))).toEqual([])
  })

  it('of another version, or with another field, does not match it', async () => {
    const report = await checkAsCommand(await listen(endpoint()))
    expect(schemaErrors({ ...report, version: 1 })).not.toEqual([])
    expect(schemaErrors({ ...report, secret: 1 })).not.toEqual([])
    expect(schemaErrors({ ...report, verdict: 'fine' })).not.toEqual([])
  })
})

describe.concurrent('a baseline', () => {
  it('results in conforms for a known failure, and in violates for a stale entry', async () => {
    const report = await checkAsCommand(await listen(failingApp()))
    expect(applyBaseline(report, ['data-failure']).verdict).toBe('conforms')
    expect(applyBaseline(report, ['data-failure', 'uri']).verdict).toBe('violates')
  })

  it('does not hide open customer data', async () => {
    const report = await checkAsCommand(await listen(endpoint({ authorized: () => true })), {
      headers: {},
    })
    expect(applyBaseline(report, ['auth-none']).verdict).toBe('open')
  })
})

describe.concurrent('the report in other formats', () => {
  const failing = () => listen(failingApp()).then((url) => checkAsCommand(url))

  it('is a JUnit failure for each failed rule and for the verdict', async () => {
    const report = await failing()
    const xml = formatReport(report, 'junit')
    const [finding] = findResult(report, 'data-failure').findings
    expect(xml.match(/<failure /g)).toHaveLength(2)
    expect(xml).toContain(
      `<testcase classname="sidecard.data" name="data-failure: The endpoint reports no failure">\n      <failure type="MUST" message="components[2]: ${finding?.message}">`,
    )
    expect(xml).toContain('see: npx sidecard check --explain data-failure')
    expect(xml).toMatch(
      /<testcase classname="sidecard\.verdict" name="violates">\n\s+<failure message="The endpoint violates the contract\."\/>/,
    )
    expect(xml).toMatch(/^<\?xml[^>]*\?>\n<testsuites [^>]*tests="\d+" failures="2"/)
  })

  it('is a JUnit failure for a run without evidence', async () => {
    const report = await checkAsCommand(await listen(endpoint()), { only: ['auth-none'] })
    expect(formatReport(report, 'junit')).toMatch(
      /<testcase classname="sidecard\.verdict" name="not_evaluated">\n\s+<failure /,
    )
  })

  it('has the verdict as the Markdown title, and a row for each finding', async () => {
    const markdown = formatReport(await failing(), 'markdown')
    expect(markdown).toMatch(/^## The endpoint violates the contract\n/)
    expect(markdown).toMatch(
      /\| ❌ \| <code>data-failure<\/code> \| <code>components&#91;2&#93;<\/code> section/,
    )
    expect(markdown).toMatch(/\| data \| 10 \| \d+ ms \| \d+ ms \| \d+ ms \|/)
    const clean = await checkAsCommand(await listen(endpoint()))
    expect(formatReport(clean, 'markdown')).toMatch(/^## The endpoint conforms to the contract\n/)
  })

  it('is a GitHub error for a failure, a warning for a warning, a notice for advice', async () => {
    const failed = formatReport(await failing(), 'github')
    expect(failed).toMatch(/^::error title=sidecard data-failure::components\[2\]: section_failed/)
    expect(failed).toMatch(/\n::error title=sidecard check::http:[^\n]*The endpoint violates/)
    const list = { type: 'badge', label: 'B', items: [] }
    const url = await listen(
      endpoint({
        data: (received) => json(received, { ...payload(received, [list]), theme: 'dark' }),
      }),
    )
    const warned = await checkAsCommand(url)
    expect(brokenRules(warned)).toEqual(['unknown-fields', 'component-empty'])
    expect(formatReport(warned, 'github')).toMatch(
      /^::warning title=sidecard unknown-fields::[^\n]*\n::notice title=sidecard component-empty::[^\n]*\n::notice title=sidecard check::/,
    )
    expect(formatReport(warned, 'github', { strict: true })).toMatch(
      /^::error title=sidecard unknown-fields::[^\n]*\n::notice title=sidecard component-empty::[^\n]*\n::error title=sidecard check::/,
    )
  })

  it('shows the times by type of request in the human format', async () => {
    const report = await checkAsCommand(await listen(endpoint()), { repeat: 10 })
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
    const url = await listen(endpoint({ authorized: () => true }))
    const report = await checkAsCommand(url, { headers: {} })
    expect(formatReport(report, 'human')).toMatch(/\n1 warning, \d+ passed/)
    expect(formatReport(applyBaseline(report, ['auth-none']), 'human')).toContain(
      '1 known failure,',
    )
  })
})

describe.concurrent('the HTML report', () => {
  const EVIL = '</style><script>alert(1)</script><img src="https://evil.example/x.png" onerror=a>'

  async function evilReport(): Promise<Report> {
    const url = await listen(
      endpoint({
        data: (received) =>
          json(received, {
            ...payload(received, [
              { type: 'text', label: EVIL, value: EVIL, icon_url: 'https://evil.example/i.png' },
            ]),
            [EVIL]: 1,
          }),
      }),
    )
    return checkAsCommand(`${url}w?token=hunter2`, {
      details: true,
      params: { account_id: 'acme-corp-7', requester_email: 'jo@acme.example' },
    })
  }

  it('is one page with a Content-Security-Policy, without scripts and external resources', async () => {
    const page = formatReport(await evilReport(), 'html')
    const tags = page.match(/<[^>]*>/g)?.join('\n') ?? ''
    expect(tags).not.toMatch(/<(?:script|img|link|iframe|svg|object|base)\b|\son\w+=|\sstyle=/i)
    expect(tags).not.toMatch(/\s(?:src|srcset|poster|background)=/i)
    expect(page.match(/<style>[^<]*(?:@import|url\()/)).toBeNull()
    const hashes = [...page.matchAll(/<style>([^]*?)<\/style>/g)].map(([, css = '']) =>
      createHash('sha256').update(css).digest('base64'),
    )
    expect(hashes).toHaveLength(2)
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')}; base-uri 'none'; form-action 'none'">`,
    )
  })

  it('shows verdict, rules with evidence and fix, sidebar, latency and requests', async () => {
    const report = await evilReport()
    const page = formatReport(report, 'html')
    expect(page).toContain('<p class="verdict good">The endpoint conforms to the contract.</p>')
    for (const { id } of RULES) expect(page).toContain(`<code>${id}</code>`)
    const [finding] = findResult(report, 'unknown-fields').findings
    expect(page).toContain(`Fix: ${finding?.fix}`)
    expect(page).toContain('npx sidecard check --explain unknown-fields')
    expect(page).toMatch(/<section class="sidecard-widget">[^]*Plan[^]*Active/)
    const { p50Ms, p95Ms, count } = report.timings.data
    expect(page).toContain(`Data fetches: p50 ${p50Ms} ms, p95 ${p95Ms} ms`)
    expect(page).toMatch(/<meter min="0" max="\d+" value="\d+">/)
    expect(count).toBeGreaterThan(5)
    expect(page.match(/<code>curl /g)).toHaveLength(report.requests)
  })

  it('contains neither the secret, nor values of the query, nor the passed IDs', async () => {
    const report = await evilReport()
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
    expect(formatReport(report, 'html')).not.toContain('hunter2')
  })

  it('contains commands that send the same requests from a shell', async () => {
    const seen: string[] = []
    const inner = endpoint()
    const url = await listen((request, response) => {
      seen.push(`${request.url} ${String(request.headers['x-key'])}`)
      inner(request, response)
    })
    const ids = { account_id: 'acme', requester_email: 'jo@acme.example' }
    const { exchanges = [] } = await checkAsCommand(url, { details: true, params: ids })
    const index = exchanges.findIndex(({ name }) => name === 'data fetch 1')
    const curl = exchanges[index]?.curl.replace(/^curl/, 'printf "%s\\n"') ?? ''
    const env = {
      ACCOUNT_ID: 'acme',
      REQUESTER_EMAIL: 'jo%40acme.example',
      X_KEY: HEADERS['x-key'],
    }
    const { stdout } = spawnSync('sh', ['-c', curl], { env, encoding: 'utf8' })
    const [, header, address] = stdout.trim().split('\n')
    expect(seen).toContain(`${address?.replace(url, '/')} ${header?.replace('x-key: ', '')}`)
  })

  it('omits only the sidebar and the requests without details', async () => {
    const page = formatReport(await checkAsCommand(await listen(endpoint())), 'html')
    expect(page).not.toMatch(/<section class="sidecard-widget">|curl/)
    expect(page).toContain('The endpoint conforms to the contract.')
  })
})

describe.concurrent('a report without details', () => {
  it('contains no customer data', async () => {
    const url = await listen(
      endpoint({
        data: (received) =>
          json(
            received,
            payload(received, [{ type: 'text', label: 'Name', value: 'Jo Q. Public' }]),
          ),
      }),
    )
    const report = await check(url, { headers: HEADERS, params: { account_id: 'acme-corp-7' } })
    for (const reporter of ['human', 'json', 'junit', 'markdown', 'github', 'html'] as const) {
      expect(formatReport(report, reporter)).not.toMatch(/Jo Q\. Public|acme-corp-7/)
    }
  })
})
