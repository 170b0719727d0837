import { describe, expect, test } from 'vitest'
import { secretHeader, sidecard, text } from 'sidecard'
import { createEmulator, type Emulator } from 'sidecard/emulator'
import { connect, endpoint } from './helpers.ts'

const silent = () => undefined
const QUIET = { debug: silent, info: silent, warn: silent, error: silent }

/** Returns all details of every request. */
function everything({ exchanges }: Emulator) {
  return exchanges.list().map(({ id }) => exchanges.get(id))
}

describe('custom headers', () => {
  test('are sent with both requests, and their values are never shown', async () => {
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
    const shown = JSON.stringify([emulator.apps.list(), everything(emulator), widgets])
    expect(shown).toContain('$X_KEY')
    expect(shown).not.toContain('canary-value')
  })

  test('are hidden if a response echoes them', async () => {
    const emulator = createEmulator()
    await emulator.apps.create({
      name: 'Echo',
      headers: { 'x-key': 'canary-value' },
      target: endpoint({
        data: (_url, request) => Response.json({ echo: request.headers.get('x-key') }),
      }),
    })
    const { widgets } = await emulator.issues.open('iss_1042')
    expect(JSON.stringify([everything(emulator), widgets])).not.toContain('canary-value')
  })

  test('can be changed separately, and a new value starts another handshake', async () => {
    const { emulator, app, target } = await connect({})
    const before = target.requests.length
    const changed = await emulator.apps.update(app.id, { headers: { a: '1', b: '2' } })
    expect(changed).toMatchObject({ state: 'connected', headerNames: ['a', 'b'] })
    expect((await emulator.apps.update(app.id, { headers: { a: null } })).headerNames).toEqual([
      'b',
    ])
    expect(target.requests.length).toBe(before + 2)
    expect(target.requests.at(-1)?.headers.get('b')).toBe('2')
    await emulator.apps.update(app.id, { name: 'Renamed' })
    expect(target.requests.length).toBe(before + 2)
  })
})

test('a check sends the headers of the app', async () => {
  const app = sidecard({
    header: { title: 'Billing', icon_url: 'https://example.com/icon.png' },
    auth: secretHeader('x-key', 'canary-value'),
    logger: QUIET,
    fetchData: () => [text({ label: 'Plan', value: 'Pro' })],
  })
  const emulator = createEmulator()
  const { id } = await emulator.apps.create({
    name: 'Billing',
    headers: { 'x-key': 'canary-value' },
    target: { fetch: (request) => app.fetch(request, {}) },
  })
  const report = await emulator.apps.check(id)
  expect(report.summary.fail).toBe(0)
  expect(JSON.stringify(report)).not.toContain('canary-value')
})
