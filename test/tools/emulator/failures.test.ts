import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { card, noAuth, secretHeader, section, sidecard, text } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'
import { connect, payload, widget } from './helpers.ts'

const silent = () => undefined
const QUIET = { debug: silent, info: silent, warn: silent, error: silent }
const header = { title: 'Billing', icon_url: 'https://example.com/icon.png' }

/** Opens an issue with a real app, in development or in production. */
async function openWith(fetchData: () => unknown, { dev = true, status = false } = {}) {
  const app = sidecard({
    header,
    auth: noAuth(),
    logger: QUIET,
    timeoutMs: 50,
    ...(status && { errors: 'status' as const }),
    fetchData: fetchData as () => [],
  })
  const emulator = createEmulator()
  const env = dev ? { SIDECARD_DEV: '1' } : {}
  await emulator.apps.create({
    name: 'Billing',
    target: { fetch: (request) => app.fetch(request, env) },
  })
  const { widgets } = await emulator.issues.open('iss_1042')
  const [view] = widgets
  if (view === undefined) throw new Error('no widget')
  return { emulator, view }
}

function throwError(): never {
  throw new TypeError('db down')
}

describe('a failure that the endpoint reports', () => {
  test('has the outcome failed, and is not the last successful render', async () => {
    let isDown = false
    const app = sidecard({
      header,
      auth: noAuth(),
      logger: QUIET,
      fetchData: () => (isDown ? throwError() : [text({ label: 'Plan', value: 'Pro' })]),
    })
    const emulator = createEmulator()
    await emulator.apps.create({
      name: 'Billing',
      target: { fetch: (request) => app.fetch(request, {}) },
    })
    const open = async () => (await emulator.issues.open('iss_1042')).widgets[0]
    const good = await open()
    expect(good).toMatchObject({ outcome: 'rendered', failures: [], lastGood: null })
    isDown = true
    for (const view of [await open(), await open()]) {
      expect(view).toMatchObject({
        outcome: 'failed',
        payload: { header },
        lastGood: { payload: good?.payload, exchangeId: good?.exchangeId },
      })
    }
  })

  test('shows its kind, trace ID, error, file and line in development', async () => {
    const { view, emulator } = await openWith(throwError)
    const [failure] = view.failures
    expect(failure).toMatchObject({
      kind: 'callback_failed',
      section: null,
      component: null,
      stale: false,
      traceId: expect.stringMatching(/^[2-9a-z]{12}$/),
      error: {
        name: 'TypeError',
        message: 'db down',
        stack: expect.stringContaining('throwError'),
        location: { file: expect.stringMatching(/failures\.test\.ts$/), line: 34 },
      },
    })
    expect(view.message).toContain('db down')
    expect(view.fix).toMatch(/failures\.test\.ts:34\.$/)
    expect(emulator.exchanges.list()[0]).toMatchObject({
      outcome: 'failed',
      traceId: failure?.traceId,
      failures: view.failures,
    })
  })

  test('shows the file and line of a long error of zod, and no issues', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `field${index}`)
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
    const { view } = await openWith(() => schema.parse({}))
    expect(view.failures[0]?.error).toMatchObject({ name: 'ZodError', issues: [] })
    expect(view.fix).toMatch(/failures\.test\.ts:\d+\.$/)
  })

  test('shows only its kind and trace ID outside development', async () => {
    const { view } = await openWith(throwError, { dev: false })
    expect(view).toMatchObject({
      outcome: 'failed',
      failures: [{ kind: 'callback_failed', error: null }],
      message: expect.stringContaining(view.failures[0]?.traceId ?? 'none'),
      fix: expect.stringContaining('SIDECARD_DEV=1'),
    })
    expect(JSON.stringify(view)).not.toContain('db down')
  })

  test('of a section names the section and the component that replaces it', async () => {
    const { view } = await openWith(() => [
      text({ label: 'Plan', value: 'Pro' }),
      section('Recent errors', throwError),
    ])
    expect(view).toMatchObject({
      outcome: 'failed',
      failures: [{ kind: 'section_failed', section: 'Recent errors', component: 1 }],
    })
  })

  test('of an invalid payload has the path and the fix of each issue', async () => {
    const { view } = await openWith(() => [{ type: 'text', label: 'Plan' }])
    expect(view.failures).toMatchObject([
      {
        kind: 'invalid_payload',
        error: {
          issues: [{ path: 'components[0].value', code: 'missing_field', fix: expect.any(String) }],
        },
      },
    ])
    expect(view.fix).toBe(view.failures[0]?.error?.issues[0]?.fix)
  })

  test('with a timeout has the kind timeout', async () => {
    const { view } = await openWith(() => new Promise(() => undefined))
    expect(view.failures).toMatchObject([{ kind: 'timeout' }])
  })

  test('with status 500 reports the failure and the status', async () => {
    const { view } = await openWith(throwError, { status: true })
    expect(view).toMatchObject({
      outcome: 'status',
      payload: null,
      failures: [{ kind: 'callback_failed', error: { message: 'db down' } }],
      exchange: { status: 500 },
    })
  })

  test.each([
    ['an unknown token', 'nonsense'],
    ['empty parameters', 'callback_failed;;;'],
    ['empty items', ','],
    ['4,000 characters', 'x'.repeat(4_000)],
  ])('in a malformed header (%s) is still a failure', async (_name, value) => {
    const { open } = await connect({
      data: () => Response.json(widget('Pro'), { headers: { 'x-sidecard-failure': value } }),
    })
    const { outcome, failures } = await open()
    expect([outcome, failures[0]?.kind]).toEqual(['failed', 'unknown'])
  })

  test.each([
    ['no byte sequence', 'abc'],
    ['no base64', ':***:'],
    ['no JSON', `:${btoa('{')}:`],
    ['wrong types', `:${btoa('[{"kind":"timeout","section":7,"error":{"name":1}}]')}:`],
    [
      'a wrong section',
      `:${btoa('[{"kind":"timeout","section":7,"error":{"name":"E","message":"m"}}]')}:`,
    ],
    [
      'a wrong stack',
      `:${btoa('[{"kind":"timeout","error":{"name":"E","message":"m","stack":7}}]')}:`,
    ],
    [
      'wrong issues',
      `:${btoa('[{"kind":"timeout","error":{"name":"E","message":"m","issues":[7]}}]')}:`,
    ],
  ])('with unreadable error details (%s) is shown without them', async (_name, value) => {
    const headers = { 'x-sidecard-failure': 'timeout', 'x-sidecard-error': value }
    const { open } = await connect({ data: () => Response.json(widget('Pro'), { headers }) })
    expect(await open()).toMatchObject({
      outcome: 'failed',
      failures: [{ kind: 'timeout', section: null, error: null }],
    })
  })
})

test.each([
  [
    'not_found',
    'no customer matches these IDs',
    'Send the IDs of a customer that the endpoint knows, or check why it does not find this one.',
  ],
  [
    'ambiguous',
    'several customers match these IDs',
    'Send an ID that belongs to one customer, or make the lookup more specific.',
  ],
  ['not_available', 'a required ID is missing', 'Send the ID that the endpoint requires.'],
])('a designed card (%s) is neither a failure nor a success', async (outcome, message, fix) => {
  const headers = { 'x-sidecard-outcome': outcome }
  const { open } = await connect({ data: () => Response.json(widget('Pro'), { headers }) })
  expect(await open()).toMatchObject({
    outcome,
    payload: widget('Pro'),
    failures: [],
    message: `${message}; the agent sees a card with this message`,
    fix,
    lastGood: null,
  })
})

test('a secret that the endpoint echoes is hidden in everything the sidebar shows', async () => {
  const secret = 'canary-secret-value'
  const app = sidecard({
    header,
    auth: secretHeader('x-key', secret),
    logger: QUIET,
    fetchData: () => [
      card({ header: { title: secret }, components: [text({ label: secret, value: secret })] }),
      section(secret, () => {
        throw new Error(`rejected ${secret}`)
      }),
    ],
  })
  const emulator = createEmulator()
  await emulator.apps.create({
    name: 'Billing',
    headers: { 'x-key': secret },
    target: { fetch: (request) => app.fetch(request, { SIDECARD_DEV: '1' }) },
  })
  const { widgets } = await emulator.issues.open('iss_1042')
  expect(widgets[0]?.outcome).toBe('failed')
  const everything = [widgets, emulator.exchanges.get(widgets[0]?.exchangeId ?? '')]
  expect(JSON.stringify(everything)).not.toContain(secret.slice(0, 8))

  const invalid = await connect({
    data: (_url, request) =>
      Response.json(payload([{ type: request.headers.get('x-key'), [secret]: secret }])),
  })
  await invalid.emulator.apps.update(invalid.app.id, { headers: { 'x-key': secret } })
  const view = await invalid.open()
  expect(view.outcome).toBe('unknown_component')
  expect(JSON.stringify(view)).not.toContain(secret.slice(0, 8))
})

test('the emulator requests the errors of every app', async () => {
  const { target, open } = await connect()
  await open()
  expect(target.requests.map(({ headers }) => headers.get('x-sidecard-dev'))).toEqual(['1', '1'])
})
