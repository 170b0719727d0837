import { describe, expect, it, onTestFinished } from 'vitest'
import type { SidecardOptions } from 'sidecard'
import { card, identify, secretHeader, section, sidecard, text } from 'sidecard'
import { serve } from 'sidecard/node'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { brokenRules, checkAsCommand, findResult, runCheck } from './helpers.ts'

/** Serves an app on Node with SIDECARD_DEV=1, as during development. */
async function start(fetchData: SidecardOptions['fetchData']): Promise<string> {
  const app = sidecard({
    header: { title: 'Billing' },
    auth: secretHeader('x-key', HEADERS['x-key']),
    logger: false,
    fetchData,
  })
  const server = await serve(
    { fetch: (request: Request) => app.fetch(request, { SIDECARD_DEV: '1' }) },
    { port: 0, handleSignals: false },
  )
  onTestFinished(() => server.close())
  return server.url
}

describe('a Sidecard app', () => {
  it('that throws fails a strict check, with the error and its location', async () => {
    const url = await start(() => {
      throw new Error('db down')
    })
    const args = [url, '-H', `x-key: ${HEADERS['x-key']}`, '--strict']
    const { exitCode, stdout } = await runCheck(args)
    expect(exitCode).toBe(1)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /! data-failure .*callback_failed: .*db down.*trace ID \w{12}.*sidecard-app\.node\.test\.ts:\d+/,
    )
    expect(stdout).toContain('The endpoint is not proven to conform to the contract.')
  })

  it('with one failed section fails, and the finding names its component', async () => {
    const url = await start(() => [
      card({ components: [text({ label: 'Plan', value: 'Pro' })] }),
      section('Recent errors', () => {
        throw new Error('tracker down')
      }),
    ])
    const report = await checkAsCommand(url)
    expect(brokenRules(report)).toEqual(['data-failure'])
    const [finding] = findResult(report, 'data-failure').findings
    expect(finding?.path).toBe('components[1]')
    expect(finding?.message).toContain('Recent errors')
    expect(finding?.message).toContain('tracker down')
  })

  it('that finds no customer does not conform until a known one is passed', async () => {
    const url = await start(async (ctx) => {
      const { value } = await identify(ctx, {
        account_id: (id) => (id === 'acme' ? { plan: 'Pro' } : undefined),
      })
      return [text({ label: 'Plan', value: value.plan })]
    })
    expect((await checkAsCommand(url)).verdict).toBe('not_proven')
    const known = await checkAsCommand(url, {
      customers: [{ ids: { account_id: 'acme' } }],
      expectAuth: true,
    })
    expect(known.verdict).toBe('not_proven')
    expect(brokenRules(known)).toEqual([])
  })
})
