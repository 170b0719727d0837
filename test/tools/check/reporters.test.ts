import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { formatReport, REPORTERS } from '../../../src/tools/check/report/reporters/index.ts'
import { expectWellFormed } from '../../helpers/well-formed-xml.ts'

/** An endpoint that returns hostile text in every place that a report may quote. */
function hostile(text: string) {
  return {
    fetch(request: Request) {
      const params = new URL(request.url).searchParams
      if (params.get('request_type') === 'verify')
        return new Response(text, { headers: { 'content-type': 'text/plain' } })
      return Response.json({
        version: text,
        header: { title: 'T', [text]: 1 },
        components: [
          { type: text },
          { type: 'date_time', label: text, value: text },
          { type: 'link', label: 'L', url: text },
          { type: 'divider', [text]: text },
          { type: 'badge', label: 'L', items: [{ value: 'V', color: text }] },
        ],
      })
    },
  }
}

/** Nothing here restarts, so no check has to wait for it. */
const sleep = async () => undefined

const jsonResponse = (body: string) =>
  new Response(body, { headers: { 'content-type': 'application/json' } })

const HOSTILE_TEXTS = [
  ']]>',
  '<!-- " \' & > -->',
  '</failure></testsuite><script>alert(1)</script>',
  '\u0000\u0007\u001B[2J\u001B]0;owned\u0007\u009B31m',
  '\u202E\u2066\u200B\uFEFF',
  '\uD800 \uDFFF \uFFFE \uFFFF',
  '\r\n::error::injected\n',
  '| ` | [x](javascript:alert(1)) <img src=x onerror=1>',
  '%0A::warning::injected',
  '&#x0; &lt;',
]

const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- the test searches for control characters
  /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u

describe('a report about a hostile endpoint', () => {
  it.each(HOSTILE_TEXTS)('is safe in every format: %j', async (text) => {
    const report = await check(hostile(text), { sleep })
    const unsafe = REPORTERS.filter((name) => UNPRINTABLE.test(formatReport(report, name)))
    expect(unsafe).toEqual([])
    expectWellFormed(formatReport(report, 'junit'))
    const commands = formatReport(report, 'github').trimEnd().split('\n')
    expect(
      commands.filter((line) => !/^::(?:error|warning|notice) title=sidecard/.test(line)),
    ).toEqual([])
    expect(formatReport(report, 'github')).not.toMatch(/%0A/)
    expect(JSON.parse(formatReport(report, 'json'))).toEqual(report)
  })

  it('is well-formed JUnit for any response', { timeout: 20_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
        expectWellFormed(formatReport(await check(hostile(text), { samples: 1, sleep }), 'junit'))
      }),
      { numRuns: 40 },
    )
  })
})

describe('a check', () => {
  it('never throws for any JSON', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (body) => {
        const target = {
          fetch: () => new Response(body, { headers: { 'content-type': 'application/json' } }),
        }
        const report = await check(target, { samples: 1, sleep })
        expect(report.summary.fail).toBeGreaterThan(0)
      }),
      { numRuns: 200 },
    )
  })

  it('lists at most a thousand of a hundred thousand bad items', { timeout: 120_000 }, async () => {
    const body = JSON.stringify({ version: '1', header: {}, components: Array(100_000).fill(null) })
    const target = { fetch: () => jsonResponse(body) }
    const report = await check(target, { samples: 2, sleep })
    const { findings } = report.results.find(({ rule }) => rule === 'component-object') ?? {
      findings: [],
    }
    expect(findings).toHaveLength(1_001)
  })

  it('handles 20,000 nested cards', { timeout: 120_000 }, async () => {
    const deep = `${'{"type":"card","components":['.repeat(20_000)}${']}'.repeat(20_000)}`
    const body = `{"version":"1.0.0","header":{"title":"T"},"components":[${deep}]}`
    const report = await check({ fetch: () => jsonResponse(body) }, { samples: 2, sleep })
    expect(report.results.find(({ rule }) => rule === 'card-nested')?.status).toBe('fail')
  })
})
