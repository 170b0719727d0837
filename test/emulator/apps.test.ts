import { describe, expect, test } from 'vitest'
import { noAuth, secretHeader, sidecard, text } from 'sidecard'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'

const silent = () => undefined
const QUIET = { debug: silent, info: silent, warn: silent, error: silent }

/** An endpoint in process whose two answers a test can choose. */
function endpoint(answers: {
  readonly verify?: (code: string) => Response | Promise<Response>
  readonly data?: (url: URL, request: Request) => Response | Promise<Response>
}) {
  const seen: Request[] = []
  return {
    seen,
    fetch(request: Request) {
      seen.push(request)
      const url = new URL(request.url)
      const code = url.searchParams.get('code') ?? ''
      const { verify = (given: string) => Response.json({ code: given }) } = answers
      const { data = () => Response.json(payloadOf([])) } = answers
      return url.searchParams.get('request_type') === 'verify' ? verify(code) : data(url, request)
    },
  }
}

function payloadOf(components: readonly unknown[]) {
  const header = { title: 'Billing', icon_url: 'https://example.com/icon.png' }
  return { version: '1.0.0', header, components }
}

async function connected(answers: Parameters<typeof endpoint>[0], options?: EmulatorOptions) {
  const emulator = createEmulator(options)
  const target = endpoint(answers)
  const app = await emulator.apps.create({ name: 'Billing', target })
  const open = async (scenario?: 'parallel-loads' | 'no-account' | 'slow-reader' | 'no-ids') =>
    (await emulator.issues.open('iss_1042', scenario && { scenario })).widgets
  return { emulator, target, app, open }
}

describe('the handshake', () => {
  test('succeeds in both forms of the contract', async () => {
    const json = await connected({})
    expect(json.app).toMatchObject({
      state: 'connected',
      lastHandshake: { result: { ok: true, form: 'json' } },
    })
    const plain = await connected({
      verify: (code) => new Response(code, { headers: { 'content-type': 'text/plain' } }),
    })
    expect(plain.app.lastHandshake?.result).toEqual({ ok: true, form: 'text' })
  })

  test('sends a fresh code each time', async () => {
    const { emulator, app, target } = await connected({})
    await emulator.apps.connect(app.id)
    await emulator.apps.connect(app.id)
    const codes = target.seen.map(({ url }) => new URL(url).searchParams.get('code'))
    expect(new Set(codes).size).toBe(3)
  })

  test.each([
    ['status', () => new Response('no', { status: 500 })],
    [
      'content_type',
      (code: string) => new Response(code, { headers: { 'content-type': 'text/html' } }),
    ],
    ['code_differs', () => Response.json({ code: 'another' })],
    ['redirect', () => Response.redirect('http://localhost/elsewhere')],
    ['threw', () => Promise.reject(new Error('secret detail'))],
  ])(
    'that fails by %s leaves the app unverified, with the reason and a remedy',
    async (reason, verify) => {
      const { app } = await connected({ verify })
      expect(app.state).toBe('unverified')
      expect(app.lastHandshake?.result).toMatchObject({
        ok: false,
        reason,
        message: expect.stringMatching(/\S/),
        remedy: expect.stringMatching(/\S/),
      })
      expect(JSON.stringify(app)).not.toContain('secret detail')
    },
  )

  test('must be done again after a disconnection', async () => {
    const { emulator, app, open, target } = await connected({})
    expect(emulator.apps.disconnect(app.id).state).toBe('disconnected')
    const asked = target.seen.length
    expect((await open())[0]).toMatchObject({ outcome: 'not_connected', exchangeId: null })
    expect(target.seen.length).toBe(asked)
    expect((await emulator.apps.connect(app.id)).state).toBe('connected')
    expect((await open())[0]?.outcome).toBe('rendered')
  })

  test('whose result comes after a disconnection does not connect', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const emulator = createEmulator()
    const target = endpoint({
      verify: async (code) => {
        await promise
        return Response.json({ code })
      },
    })
    const creating = emulator.apps.create({ name: 'Late', target })
    const [app] = emulator.apps.list()
    expect(app).toMatchObject({ handshaking: true })
    emulator.apps.disconnect(app?.id ?? '')
    resolve()
    expect((await creating).state).toBe('disconnected')
  })

  test('that never ends is given up after the timeout', async () => {
    const { app } = await connected(
      { verify: () => new Promise<Response>(() => {}) },
      { timeoutMs: 20 },
    )
    expect(app.lastHandshake?.result).toMatchObject({ reason: 'timeout' })
  })
})

describe('opening an issue', () => {
  test('sends exactly the eight parameters of the contract', async () => {
    const { target, app, open } = await connected({})
    await open()
    expect([...new URL(target.seen.at(-1)?.url ?? '').searchParams]).toEqual([
      ['request_type', 'fetch_data'],
      ['app_id', app.id],
      ['widget_id', app.widgets[0]?.id],
      ['issue_id', 'iss_1042'],
      ['organization_id', 'org_tidepool'],
      ['account_id', 'acc_northwind'],
      ['requester_id', 'usr_maria'],
      ['requester_email', 'maria.anders@northwind.example'],
    ])
  })

  test('asks every widget of every connected app at the same time', async () => {
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
    let asked = 0
    const data = async () => {
      asked += 1
      if (asked === 3) resolve()
      await bothAsked
      return Response.json(payloadOf([]))
    }
    const emulator = createEmulator()
    await emulator.apps.create({ name: 'One', widgets: ['A', 'B'], target: endpoint({ data }) })
    await emulator.apps.create({ name: 'Two', target: endpoint({ data }) })
    const { widgets } = await emulator.issues.open('iss_1042')
    expect(widgets.map(({ outcome }) => outcome)).toEqual(['rendered', 'rendered', 'rendered'])
  })

  test.each([
    ['unknown_component', () => Response.json(payloadOf([{ type: 'chart' }]))],
    ['invalid_payload', () => Response.json(payloadOf([{ type: 'text', label: 'x' }]))],
    ['status', () => new Response('', { status: 503 })],
    ['not_json', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['threw', () => Promise.reject(new Error('x'))],
  ])('classifies an answer as %s, with what to do', async (outcome, data) => {
    const [widget] = await (await connected({ data })).open()
    expect(widget).toMatchObject({ outcome, payload: null, remedy: expect.stringMatching(/\S/) })
  })

  test('keeps the last good render beside an error', async () => {
    let isBroken = false
    const { open } = await connected({
      data: () =>
        isBroken
          ? Response.json(payloadOf([{ type: 'chart' }]))
          : Response.json(payloadOf([{ type: 'text', label: 'Plan', value: 'Pro' }])),
    })
    const [good] = await open()
    isBroken = true
    expect((await open())[0]).toMatchObject({
      outcome: 'unknown_component',
      lastGood: { payload: good?.payload, at: good?.at },
      findings: [{ rule: 'component-type', path: 'components[0].type' }],
    })
  })

  test('with no account sends an empty account_id; with no ids only the type', async () => {
    const { open, target } = await connected({})
    await open('no-account')
    expect(new URL(target.seen.at(-1)?.url ?? '').searchParams.get('account_id')).toBe('')
    await open('no-ids')
    expect(new URL(target.seen.at(-1)?.url ?? '').search).toBe('?request_type=fetch_data')
  })

  test('in parallel asks twenty times at once', async () => {
    const { open, target } = await connected({})
    await open('parallel-loads')
    expect(target.seen.length).toBe(1 + 20)
  })

  test('as a slow reader pauses while it reads', async () => {
    const waits: number[] = []
    const value = 'x'.repeat(2_000)
    const { open } = await connected(
      { data: () => Response.json(payloadOf([{ type: 'text', label: 'x', value }])) },
      { pause: async (ms) => void waits.push(ms) },
    )
    expect((await open('slow-reader'))[0]?.outcome).toBe('rendered')
    expect(waits.length).toBeGreaterThan(3)
  })
})

describe('custom headers', () => {
  test('are sent with both requests, and their values are never given back', async () => {
    const app = sidecard({
      header: { title: 'Billing' },
      auth: secretHeader('x-key', 'canary-value'),
      fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
    })
    const emulator = createEmulator()
    const view = await emulator.apps.create({
      name: 'Billing',
      target: { fetch: (request) => app.fetch(request) },
      headers: { 'x-key': 'canary-value' },
    })
    expect(view).toMatchObject({ state: 'connected', headerNames: ['x-key'] })
    const { widgets } = await emulator.issues.open('iss_1041')
    expect(widgets[0]?.outcome).toBe('rendered')
    const shown = JSON.stringify([emulator.apps.list(), emulator.exchanges(), widgets])
    expect(shown).toContain('$X_KEY')
    expect(shown).not.toContain('canary-value')
  })

  test('that an answer echoes are hidden in the inspector', async () => {
    const emulator = createEmulator()
    await emulator.apps.create({
      name: 'Echo',
      headers: { 'x-key': 'canary-value' },
      target: endpoint({
        data: (_url, request) => Response.json({ echo: request.headers.get('x-key') }),
      }),
    })
    await emulator.issues.open('iss_1042')
    expect(JSON.stringify(emulator.exchanges())).not.toContain('canary-value')
  })

  test('change one by one; another value ends the connection and shakes hands again', async () => {
    const { emulator, app, target } = await connected({})
    const before = target.seen.length
    const changed = await emulator.apps.update(app.id, { headers: { a: '1', b: '2' } })
    expect(changed).toMatchObject({ state: 'connected', headerNames: ['a', 'b'] })
    expect((await emulator.apps.update(app.id, { headers: { a: null } })).headerNames).toEqual([
      'b',
    ])
    expect(target.seen.length).toBe(before + 2)
    expect(target.seen.at(-1)?.headers.get('b')).toBe('2')
    await emulator.apps.update(app.id, { name: 'Renamed' })
    expect(target.seen.length).toBe(before + 2)
  })
})

describe('an app that cannot be', () => {
  test.each([
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(81) }],
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'javascript:alert(1)' }],
    ['url', { url: 'http://user:canary@example.com/' }],
    ['headers.host', { headers: { host: 'x' } }],
    ['headers.x y', { headers: { 'x y': 'x' } }],
    ['headers.x', { headers: { x: 'canary\r\nset-cookie: 1' } }],
    ['widgets', { widgets: [] }],
    ['widgets[1]', { widgets: ['a', ''] }],
  ])('is refused with the field %s, and nothing is stored', async (path, input) => {
    const emulator = createEmulator()
    const creating = emulator.apps.create({ name: 'x', url: 'http://localhost:1/', ...input })
    const error: Error = await creating.then(
      () => expect.unreachable(),
      (thrown: Error) => thrown,
    )
    expect(error).toMatchObject({ code: 'invalid_app', path })
    expect(error.message).not.toContain('canary')
    expect(emulator.apps.list()).toEqual([])
  })
})

test('an app checks itself by the rules of the checker', async () => {
  const app = sidecard({
    header: { title: 'Billing', icon_url: 'https://example.com/icon.png' },
    auth: noAuth(),
    logger: QUIET,
    fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
  })
  const emulator = createEmulator()
  const { id } = await emulator.apps.create({
    name: 'Billing',
    target: { fetch: (request) => app.fetch(request) },
  })
  const report = await emulator.apps.check(id)
  expect(report.summary.fail).toBe(0)
  expect(report.summary.pass).toBeGreaterThan(30)
})
