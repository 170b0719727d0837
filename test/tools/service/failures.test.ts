import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { noAuth, section, sidecard, text } from 'sidecard'
import type { SidecardOptions } from 'sidecard'
import { createTestService } from 'sidecard/testing'

function createApp(options: Partial<Omit<SidecardOptions, 'actions'>>) {
  return sidecard({
    header: { title: 'Billing' },
    auth: noAuth(),
    logger: false,
    fetchData: () => [text({ label: 'Plan', value: 'Gold' })],
    ...options,
  })
}

const plan = text({ label: 'Plan', value: 'Gold' })

/** An endpoint without Sidecard that sends these headers with a valid payload. */
function endpoint(headers: Record<string, string>, status = 200) {
  const payload = { version: '1.0.0', header: { title: 'Plan' }, components: [plan] }
  return {
    fetch(request: Request) {
      const code = new URL(request.url).searchParams.get('code')
      return code === null ? Response.json(payload, { headers, status }) : Response.json({ code })
    },
  }
}

describe('a failure of an in-process app', () => {
  it('is reported with the error itself when fetchData throws', async () => {
    const error = new Error('db down')
    const app = createApp({
      fetchData: () => {
        throw error
      },
    })
    const opened = await createTestService(app).openIssue()
    expect(opened.outcome).toBe('failed')
    expect(opened.failures).toHaveLength(1)
    const [failure] = opened.failures
    expect(failure).toMatchObject({ kind: 'callback_failed', stale: false })
    expect(failure?.error).toBe(error)
    expect(failure?.traceId).toMatch(/^[0-9a-z]{12}$/)
    expect(opened.text).toContain(failure?.traceId)
    expect(opened.text).toContain('(failure: fetchData failed: db down (trace ID ')
    expect(opened.findings).toMatchObject([
      { rule: 'data-failure', level: 'MUST', message: expect.stringContaining('db down') },
    ])
    expect(opened.result).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('db down'),
    })
  })

  it('is described by the message of a zod error, whose issues are not ours', async () => {
    const schema = z.object({ plan: z.string() })
    const app = createApp({ fetchData: () => schema.parse({}) as never })
    const opened = await createTestService(app).openIssue()
    expect(opened.failures[0]?.error).toBeInstanceOf(z.ZodError)
    expect(opened.result).toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/fetchData failed: \[ \{ .*expected string/),
      fix: 'Search the endpoint’s log for the trace ID.',
    })
    expect(opened.findings[0]?.fix).not.toContain('undefined')
  })

  it('contains the section, its position and its error if a section throws', async () => {
    const app = createApp({
      fetchData: () => [
        plan,
        section('Recent errors', () => Promise.reject(new TypeError('no tracker'))),
        section('Invoices', () => [text({ label: 'Last', value: '€ 5' })]),
      ],
    })
    const opened = await createTestService(app).openIssue()
    expect(opened.failures).toMatchObject([
      {
        kind: 'section_failed',
        section: 'Recent errors',
        component: 1,
        stale: false,
        error: { name: 'TypeError', message: 'no tracker' },
      },
    ])
    expect(opened.payload?.components).toHaveLength(3)
    expect(opened.findings[0]).toMatchObject({ rule: 'data-failure', path: 'components[1]' })
  })

  it('has the validation issues of an invalid payload', async () => {
    const app = createApp({
      fetchData: () => [
        { type: 'badge', label: 'x', items: [{ value: 'y', color: 'grey' }] } as never,
      ],
    })
    const { failures, findings } = await createTestService(app).openIssue()
    expect(failures).toMatchObject([
      { kind: 'invalid_payload', error: { issues: [{ code: 'invalid_color' }] } },
    ])
    expect(findings[0]?.fix).toContain('gray')
  })

  it('names every issue of a builder in one line', async () => {
    const app = createApp({ fetchData: () => [text({} as never)] })
    const { text: shown } = await createTestService(app).openIssue()
    expect(shown).toContain('label: is missing. Add "label", a string. - value: is missing.')
  })

  it('wraps thrown values that are not errors, and reports a timeout', async () => {
    const thrown = createApp({ fetchData: () => Promise.reject('just a string') })
    expect((await createTestService(thrown).openIssue()).failures[0]?.error?.message).toBe(
      'just a string',
    )
    const slow = createApp({ fetchData: () => new Promise(() => undefined), timeoutMs: 20 })
    expect((await createTestService(slow).openIssue()).failures).toMatchObject([
      { kind: 'timeout' },
    ])
  })

  it('is reported with errors: status, where the agent sees an error state', async () => {
    const app = createApp({
      errors: 'status',
      fetchData: () => {
        throw new Error('db down')
      },
    })
    const opened = await createTestService(app).openIssue()
    expect(opened).toMatchObject({
      outcome: 'status',
      payload: undefined,
      failures: [{ kind: 'callback_failed', error: { message: 'db down' } }],
    })
    expect(opened.text).toContain('db down')
  })

  it('belongs to its own request if several run concurrently', async () => {
    const app = createApp({
      fetchData: async (ctx) => {
        const id = ctx.require('account_id')
        if (id !== 'good') throw new Error(`no ${id}`)
        return [plan]
      },
    })
    const env = {}
    const services = [createTestService(app, { env }), createTestService(app, { env })] as const
    await Promise.all(services.map((service) => service.connect()))
    const ids = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0 ? 'good' : `bad-${index}`,
    )
    const messages = await Promise.all(
      ids.map(async (account_id, index) => {
        const opened = await services[index % 2 === 0 ? 0 : 1].openIssue({ account_id })
        return opened.failures.map(({ error }) => error?.message)
      }),
    )
    expect(messages).toEqual(ids.map((id) => (id === 'good' ? [] : [`no ${id}`])))
  })
})

describe('a designed card', () => {
  it('is a separate outcome without a failure', async () => {
    const missing = createApp({
      fetchData: (ctx) => [text({ label: 'Account', value: ctx.require('account_id') })],
    })
    const opened = await createTestService(missing).openIssue({ account_id: undefined })
    expect(opened).toMatchObject({ outcome: 'not_available', failures: [], findings: [] })
    expect(opened.payload?.components.length).toBeGreaterThan(0)
  })
})

describe('the headers of any endpoint', () => {
  it.each([
    ['a known failure', 'timeout', [{ kind: 'timeout', stale: false }]],
    ['an unknown token', 'melted', [{ kind: 'unknown', stale: false }]],
    ['an empty header', '', [{ kind: 'unknown', stale: false }]],
    ['a malformed header', 'timeout;;=', [{ kind: 'unknown', stale: false }]],
    ['a binary header', ':YWJj:', [{ kind: 'unknown', stale: false }]],
    [
      'a section with its place',
      'section_failed;component=2, section_timeout;component=4;stale',
      [
        { kind: 'section_failed', component: 2, stale: false },
        { kind: 'section_timeout', component: 4, stale: true },
      ],
    ],
  ])('report %s', async (_name, value, failures) => {
    const opened = await createTestService(endpoint({ 'x-sidecard-failure': value })).openIssue()
    expect(opened).toMatchObject({ outcome: 'failed', failures })
    expect(opened.payload).toBeDefined()
    expect(opened.findings.map(({ level }) => level)).toEqual(
      failures.map(({ stale }) => (stale ? 'SHOULD' : 'MUST')),
    )
  })

  it('contain the trace ID and, in development, a copy of the error without secrets', async () => {
    const detail = [
      {
        kind: 'callback_failed',
        error: { name: 'DbError', message: 'key s3cret-value', stack: 'DbError: at s3cret-value' },
      },
    ]
    const target = endpoint({
      'x-sidecard-failure': 'callback_failed',
      'x-sidecard-trace': '7kq2mzx9wtbc',
      'x-sidecard-error': `:${btoa(JSON.stringify(detail))}:`,
    })
    const opened = await createTestService(target, {
      headers: { 'x-key': 's3cret-value' },
    }).openIssue()
    expect(opened.failures).toEqual([
      {
        kind: 'callback_failed',
        stale: false,
        traceId: '7kq2mzx9wtbc',
        error: { name: 'DbError', message: 'key [hidden]', stack: 'DbError: at [hidden]' },
      },
    ])
    expect(JSON.stringify([opened.text, opened.findings, opened.result.message])).not.toContain(
      's3cret',
    )
  })

  it.each(['not_found', 'ambiguous', 'not_available', 'something new'])(
    'name the designed card %s',
    async (value) => {
      const opened = await createTestService(endpoint({ 'x-sidecard-outcome': value })).openIssue()
      expect(opened.failures).toEqual([])
      expect(opened.outcome).toBe(value === 'something new' ? 'not_available' : value)
    },
  )

  it('do not hide that a payload violates the contract', async () => {
    const target = endpoint({ 'x-sidecard-outcome': 'not_found', 'x-sidecard-failure': 'timeout' })
    expect((await createTestService(target).openIssue()).outcome).toBe('failed')
    const status = endpoint({ 'x-sidecard-failure': 'timeout' }, 504)
    expect(await createTestService(status).openIssue()).toMatchObject({
      outcome: 'status',
      failures: [{ kind: 'timeout' }],
    })
  })

  it('request errors only if the test enables it', async () => {
    const asked: Array<string | null> = []
    const target = {
      fetch(request: Request) {
        asked.push(request.headers.get('x-sidecard-dev'))
        return endpoint({}).fetch(request)
      },
    }
    await createTestService(target).openIssue()
    const opened = await createTestService(target, { dev: true }).openIssue()
    expect(asked).toEqual([null, null, '1', '1'])
    expect(opened.result.exchange.request.headerNames).toEqual([])
  })
})
