import { describe, expect, it, test } from 'vitest'
import { describeVerdict } from '../../src/check/reporters/verdict-text.ts'
import { exitCodeOf } from '../../src/check/report.ts'
import { formatReport } from '../../src/check/reporters/index.ts'
import type { Report, Verdict } from 'sidecard/check'
import { CLEAN, REPORT, rule } from './report-fixture.ts'

test('the report in HTML is a page with the verdict, the rules, the sidebar, times and requests', () => {
  const page = formatReport(
    {
      ...REPORT,
      target: 'https://app.example/<b>',
      exchanges: [
        {
          name: 'handshake 1',
          status: 200,
          durationMs: 12,
          curl: 'curl "https://app.example/?a&b"',
        },
        { name: 'data fetch 1', durationMs: 3, failure: 'timed out <1>', curl: 'curl' },
      ],
      payload: { version: '1.0.0', header: { title: 'Billing' }, components: [] },
    },
    'html',
  )
  expect(page).toContain('<title>Check of https://app.example/&lt;b&gt;</title>')
  expect(page.slice(page.indexOf('<main>'), page.indexOf('</main>'))).toMatchInlineSnapshot(`
    "<main>
    <h1>Check report</h1>
    <p class="verdict bad">The endpoint violates the contract.</p>
    <dl class="facts">
    <dt>Endpoint</dt><dd><code>https://app.example/&lt;b&gt;</code></dd>
    <dt>Time</dt><dd><time>2026-11-21T09:30:00.000Z</time>, 1234 ms</dd>
    <dt>Requests</dt><dd>7</dd>
    <dt>Rules</dt><dd>1 failed, 1 warning, 1 known failure, 1 passed, 1 skipped</dd>
    </dl>
    <p class="stale">date-time passes now. Remove it from the baseline.</p>
    <h2>Rules</h2>

    <details>
    <summary><h3>handshake</h3> <span class="quiet">1 passed, 1 skipped</span></summary>
    <ul class="rules">
    <li class="pass"><span class="status">passed</span> <code>handshake-status</code> <span class="quiet">MUST</span> The title of handshake-status</li>
    <li class="skip"><span class="status">skipped</span> <code>handshake-code</code> <span class="quiet">MUST</span> The title of handshake-code<p class="quiet">no secret was passed</p></li>
    </ul>
    </details>


    <details open>
    <summary><h3>components</h3> <span class="quiet">1 failed, 1 warning, 1 known failure</span></summary>
    <ul class="rules">
    <li class="fail"><span class="status">failed</span> <code>component-type</code> <span class="quiet">MUST</span> The title of component-type<div class="finding"><p><code>components[0]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[1]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[2]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[3]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[4]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[5]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><div class="finding"><p><code>components[6]</code> has no type, which makes a widget an error state for every agent who opens the issue</p><p class="fix">Fix: Add a type.</p></div><p class="quiet">The contract: What the contract says about component-type. <code>sidecard check --explain component-type</code></p></li>
    <li class="warn"><span class="status">warning</span> <code>label-unique</code> <span class="quiet">SHOULD</span> The title of label-unique<div class="finding"><p>repeats</p><p class="fix">Fix: Rename | it.</p></div><p class="quiet">The contract: What the contract says about label-unique. <code>sidecard check --explain label-unique</code></p></li>
    <li class="known"><span class="status">known failure</span> <code>uri</code> <span class="quiet">MUST</span> The title of uri<div class="finding"><p><code>components[9]</code> &lt;b&gt; &amp; \`x\` &quot;it&#39;s&quot;</p><p class="fix">Fix: Add a type.</p></div><p class="quiet">The contract: What the contract says about uri. <code>sidecard check --explain uri</code></p></li>
    </ul>
    </details>





    <h2>Sidebar</h2>
    <section class="sidecard-widget"><header><span class="cut" dir="auto">Billing</span></header><div class="rows">
    <p class="empty">No components</p>
    </div></section>
    <h2>Latency</h2>
    <table class="timing">
    <caption>Handshakes: p50 11 ms, p95 12 ms, p99 13 ms, max 14 ms of 2</caption>
    <tbody>
    <tr><th scope="row">up to 10 ms</th><td><meter min="0" max="2" value="0">0</meter></td><td>0</td></tr>
    <tr><th scope="row">up to 25 ms</th><td><meter min="0" max="2" value="2">2</meter></td><td>2</td></tr>
    </tbody>
    </table>
    <p class="quiet">Data fetches: no complete response.</p>
    <h2>Requests</h2>
    <p class="quiet">Secrets and the IDs of customers are shell variables.</p>
    <table class="requests">
    <thead><tr><th>request</th><th>status</th><th>time</th><th>cURL</th></tr></thead>
    <tbody>
    <tr><td>handshake 1</td><td>200</td><td>12 ms</td><td><code>curl &quot;https://app.example/?a&amp;b&quot;</code></td></tr>
    <tr><td>data fetch 1</td><td>timed out &lt;1&gt;</td><td>3 ms</td><td><code>curl</code></td></tr>
    </tbody>
    </table>
    "
  `)
})

test('the report in HTML about an endpoint that conforms has closed groups and no findings', () => {
  const page = formatReport(CLEAN, 'html')
  expect(page.slice(page.indexOf('<p class="verdict'), page.indexOf('<h2>Latency')))
    .toMatchInlineSnapshot(`
    "<p class="verdict good">The endpoint conforms to the contract.</p>
    <dl class="facts">
    <dt>Endpoint</dt><dd><code>https://app.example/billing</code></dd>
    <dt>Time</dt><dd><time>2026-11-21T09:30:00.000Z</time>, 12345 ms</dd>
    <dt>Requests</dt><dd>7</dd>
    <dt>Rules</dt><dd>1 passed, 1 skipped</dd>
    </dl>

    <h2>Rules</h2>

    <details>
    <summary><h3>handshake</h3> <span class="quiet">1 passed, 1 skipped</span></summary>
    <ul class="rules">
    <li class="pass"><span class="status">passed</span> <code>handshake-status</code> <span class="quiet">MUST</span> The title of handshake-status</li>
    <li class="skip"><span class="status">skipped</span> <code>handshake-code</code> <span class="quiet">MUST</span> The title of handshake-code<p class="quiet">no secret was passed</p></li>
    </ul>
    </details>









    "
  `)
})

test('a strict report fails because of warnings, except for advice', () => {
  const warning = {
    ...rule('uri', 'components', 'warn', [{ message: '', fix: 'F.' }]),
    isAdvice: false,
  }
  const advice = rule('label-unique', 'components', 'warn', [{ message: 'M', fix: 'F.' }])
  const report = { ...CLEAN, results: [warning, advice] } as unknown as Report
  expect(exitCodeOf(report)).toBe(0)
  expect(exitCodeOf(report, { strict: true })).toBe(1)
  expect(exitCodeOf({ ...report, results: report.results.slice(1) }, { strict: true })).toBe(0)
  const failures = (strict: boolean) =>
    Array.from(
      formatReport(report, 'junit', { strict }).matchAll(/failures="(\d)"/g),
      ([, count]) => count,
    )
  expect(failures(false)).toEqual(['0', '0', '0'])
  expect(failures(true)).toEqual(['2', '1', '1'])
})

describe('a verdict in words', () => {
  const ROWS: ReadonlyArray<readonly [Verdict, Partial<Report>, string, string, number, number]> = [
    ['conforms', {}, 'The endpoint conforms to the contract.', 'good', 0, 0],
    ['conforms', { partial: true }, 'The selected rules passed.', 'good', 0, 0],
    [
      'violates',
      { summary: REPORT.summary, results: REPORT.results },
      'The endpoint violates the contract.',
      'bad',
      1,
      1,
    ],
    [
      'violates',
      { summary: REPORT.summary, results: REPORT.results, partial: true },
      'The endpoint violates selected rules.',
      'bad',
      1,
      1,
    ],
    ['violates', {}, 'The baseline is stale.', 'bad', 1, 1],
    ['unreachable', {}, 'The endpoint is unreachable.', 'bad', 3, 3],
    [
      'rate_limited',
      {},
      'The check is incomplete: the endpoint limits the rate of requests.',
      'bad',
      1,
      1,
    ],
    ['not_evaluated', {}, 'The check is incomplete: no selected rule was evaluated.', 'bad', 1, 1],
    [
      'no_customer_data',
      {},
      'The check is incomplete, because no customer data was checked: pass --param account_id=… with an ID that the endpoint knows, or --allow-unproven.',
      'bad',
      1,
      1,
    ],
    ['open', {}, 'Customer data is open to unauthenticated callers.', 'caution', 0, 0],
  ]

  it.each(ROWS)('%s %j: %s', (verdict, change, headline, tone, exitCode, strictCode) => {
    const report: Report = { ...CLEAN, ...change, verdict }
    expect(describeVerdict(report)).toEqual({ headline, tone })
    expect(exitCodeOf(report)).toBe(exitCode)
    expect(exitCodeOf(report, { strict: true })).toBe(strictCode)
    const isUnproven = verdict === 'no_customer_data'
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(isUnproven ? 0 : exitCode)
    const level = { good: 'notice', caution: 'warning', bad: 'error' }[tone]
    expect(formatReport(report, 'github')).toContain(`::${level} title=sidecard check::`)
    expect(formatReport(report, 'html')).toContain(`<p class="verdict ${tone}">`)
  })

  it('does not call a failed rule beyond the contract a violation of it', () => {
    const overBudget = { ...rule('latency-budget', 'latency', 'fail'), level: 'ASSUMED' }
    const report = { ...CLEAN, verdict: 'violates', summary: REPORT.summary, results: [overBudget] }
    expect(describeVerdict(report as unknown as Report)).toEqual({
      headline: 'The endpoint fails rules beyond the contract.',
      tone: 'bad',
    })
  })

  it('names warnings that fail a strict run', () => {
    const warning = { ...rule('uri', 'components', 'warn'), isAdvice: false }
    const report = { ...CLEAN, results: [warning] } as unknown as Report
    expect(describeVerdict(report, { strict: true })).toEqual({
      headline: 'The endpoint has warnings, which fail a strict run.',
      tone: 'bad',
    })
  })
})
