import { describe, expect, test } from 'vitest'
import { noAuth, sidecard, text } from 'sidecard'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'
import { connect, endpoint, payload, type Responses } from './helpers.ts'
import { addLargeData } from '../../helpers/large-data.ts'

const silent = () => undefined
const QUIET = { debug: silent, info: silent, warn: silent, error: silent }

/** Creates a connected app, and a function that opens an issue with it. */
async function connected(responses: Responses, options?: EmulatorOptions) {
  const { emulator, target, app } = await connect(responses, options)
  const open = async (how?: Parameters<typeof emulator.issues.open>[1]) =>
    (await emulator.issues.open('iss_1042', how)).widgets
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

  test('sends a new code each time', async () => {
    const { emulator, app, target } = await connected({})
    await emulator.apps.connect(app.id)
    await emulator.apps.connect(app.id)
    const codes = target.requests.map(({ url }) => new URL(url).searchParams.get('code'))
    expect(new Set(codes).size).toBe(3)
  })

  test.each([
    [
      'status',
      () => new Response('no', { status: 500 }),
      'returned 500, expected 200',
      'Look for an error in the endpoint’s log.',
    ],
    [
      'content_type',
      (code: string) => new Response(code, { headers: { 'content-type': 'text/html' } }),
      'the Content-Type is "text/html"',
      'Set Content-Type to application/json for the JSON object, or to text/plain for the bare code.',
    ],
    [
      'code_differs',
      () => Response.json({ code: 'another' }),
      'the response contains "another" instead of the code that was sent',
      'Return the code query parameter, decoded once and otherwise unchanged.',
    ],
    [
      'redirect',
      () => Response.redirect('http://localhost/elsewhere'),
      'returned 302 (redirect); the service only calls the configured URL',
      'Configure the final URL, probably "http://localhost/elsewhere". If that is a login page, exempt the endpoint from the login, and protect it with a secret header.',
    ],
    [
      'threw',
      () => Promise.reject(new Error('secret detail')),
      expect.stringContaining('the app threw instead of returning a response'),
      expect.stringContaining('Look for a crash in the endpoint’s log, '),
    ],
  ])(
    'leaves the app unverified if it fails with %s, with the reason and a fix',
    async (reason, verify, message, fix) => {
      const { app } = await connected({ verify })
      expect(app.state).toBe('unverified')
      expect(app.lastHandshake?.result).toMatchObject({
        ok: false,
        reason,
        message,
        fix,
      })
      expect(JSON.stringify(app)).not.toContain('secret detail')
    },
  )

  test('is required again after a disconnection', async () => {
    const { emulator, app, open, target } = await connected({})
    expect(emulator.apps.disconnect(app.id).state).toBe('disconnected')
    const asked = target.requests.length
    expect((await open())[0]).toMatchObject({ outcome: 'not_connected', exchangeId: null })
    expect(target.requests.length).toBe(asked)
    expect((await emulator.apps.connect(app.id)).state).toBe('connected')
    expect((await open())[0]?.outcome).toBe('rendered')
  })

  test('does not connect the app if its result arrives after a disconnection', async () => {
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

  test('times out if it never ends', async () => {
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
    expect([...new URL(target.requests.at(-1)?.url ?? '').searchParams]).toEqual([
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

  test('loads every widget of every connected app in parallel', async () => {
    const { promise: bothAsked, resolve } = Promise.withResolvers<void>()
    let asked = 0
    const data = async () => {
      asked += 1
      if (asked === 3) resolve()
      await bothAsked
      return Response.json(payload([]))
    }
    const emulator = createEmulator()
    await emulator.apps.create({ name: 'One', widgets: ['A', 'B'], target: endpoint({ data }) })
    await emulator.apps.create({ name: 'Two', target: endpoint({ data }) })
    const { widgets } = await emulator.issues.open('iss_1042')
    expect(widgets.map(({ outcome }) => outcome)).toEqual(['rendered', 'rendered', 'rendered'])
  })

  test.each([
    [
      'unknown_component',
      () => Response.json(payload([{ type: 'chart' }])),
      'components[0].type: "chart" is not a component type',
      'Use one of card, text, date_time, badge, button, link or divider.',
    ],
    [
      'invalid_payload',
      () => Response.json(payload([{ type: 'text', label: 'x' }])),
      'components[0].value: is missing',
      'Add "value", a string.',
    ],
    [
      'status',
      () => new Response('', { status: 503 }),
      'returned 503, expected 200',
      'Look for an error in the endpoint’s log.',
    ],
    [
      'not_json',
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
      'the body is not JSON (close brace expected at line 1, column 2): "{"',
      'Return one JSON object with version, header and components, serialized with a JSON library.',
    ],
    [
      'threw',
      () => Promise.reject(new Error('x')),
      expect.stringContaining('the app threw instead of returning a response'),
      expect.stringContaining('Look for a crash in the endpoint’s log, '),
    ],
  ])('classifies a response as %s, with a fix', async (outcome, data, message, fix) => {
    const [widget] = await (await connected({ data })).open()
    expect(widget).toMatchObject({ outcome, payload: null, message, fix })
  })

  test('returns the last successful render with an error', async () => {
    let isBroken = false
    const { open } = await connected({
      data: () =>
        isBroken
          ? Response.json(payload([{ type: 'chart' }]))
          : Response.json(payload([{ type: 'text', label: 'Plan', value: 'Pro' }])),
    })
    const [good] = await open()
    isBroken = true
    expect((await open())[0]).toMatchObject({
      outcome: 'unknown_component',
      lastGood: { payload: good?.payload, at: good?.at },
      findings: [{ rule: 'component-type', path: 'components[0].type' }],
    })
  })
})

test('issues are listed newest first, and by number if their times are equal', () => {
  const customers = [{ name: 'Ada' }]
  const issues = ['a', 'b', 'c'].map((title) => ({ title, customer: 'Ada' }))
  const emulator = createEmulator({ dataset: { customers, issues } })
  expect(emulator.issues.list().map(({ title }) => title)).toEqual(['a', 'b', 'c'])
  const large = addLargeData(createEmulator()).issues.list()
  const sorted = large.toSorted((left, right) =>
    left.updatedAt === right.updatedAt
      ? right.number - left.number
      : right.updatedAt.localeCompare(left.updatedAt),
  )
  expect(large.map(({ number }) => number)).toEqual(sorted.map(({ number }) => number))
})

test('an in-process app can be checked', async () => {
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
