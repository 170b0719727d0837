import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { echo } from './control.ts'
import { connect, endpoint, widget } from './helpers.ts'

describe('the connection of an app', () => {
  test('is required for a data fetch; the error says what to do', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let isOpen = false
    const { emulator, app, open } = await connect(
      {
        verify: async (code) => {
          if (isOpen) await promise
          return isOpen ? Response.json({ code }) : new Response('', { status: 401 })
        },
      },
      { now: () => Date.UTC(2026, 10, 21) },
    )
    const notConnected = {
      appId: app.id,
      widgetId: app.widgets[0]?.id,
      issueId: 'iss_1042',
      customer: 'Northwind Traders',
      state: null,
      unapplied: null,
      parameters: [],
      outcome: 'not_connected',
      payload: null,
      value: null,
      failures: [],
      findings: [],
      injected: null,
      exchangeId: null,
      exchange: null,
      at: '2026-11-21T00:00:00.000Z',
      durationMs: 0,
      lastGood: null,
    }
    const retry = "Choose Retry Connection in the app's menu."
    expect(await open()).toEqual({
      ...notConnected,
      message: 'The app is unverified: no data fetch was sent.',
      fix: retry,
    })
    isOpen = true
    const connecting = emulator.apps.connect(app.id)
    expect(await open()).toEqual({
      ...notConnected,
      message: 'The handshake is pending.',
      fix: 'Wait until it completes.',
    })
    resolve()
    expect((await connecting).state).toBe('connected')
    emulator.apps.disconnect(app.id)
    expect(await open()).toEqual({
      ...notConnected,
      message: 'The app is disconnected: no data fetch was sent.',
      fix: retry,
    })
  })

  test('starts again after a new URL, but not after other changes', async () => {
    const { emulator, app, target } = await connect()
    const handshakes = () => target.requests.filter(({ url }) => url.includes('verify')).length
    await emulator.apps.update(app.id, { name: 'New', widgets: ['A', 'B'], headers: {} })
    expect(handshakes()).toBe(1)
    const { url, lastHandshake } = await emulator.apps.update(app.id, {
      url: ' http://localhost:1/x ',
    })
    expect([url, handshakes(), lastHandshake?.result.ok]).toEqual(['http://localhost:1/x', 2, true])
    await emulator.apps.update(app.id, { url: 'http://localhost:1/x' })
    expect(handshakes()).toBe(2)
  })

  test('ends with the app', async () => {
    const { emulator, app } = await connect()
    emulator.apps.remove(app.id)
    expect(emulator.apps.list()).toEqual([])
    expect(() => emulator.apps.get(app.id)).toThrow('No app has this ID.')
    expect(() => emulator.apps.remove(app.id)).toThrow('No app has this ID.')
    expect(() => emulator.apps.get({} as never)).toThrow('No app has this ID.')
    expect(() => emulator.issues.get({} as never)).toThrow('No issue has this ID.')
  })

  test('ends if the app is deleted during the handshake', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const emulator = createEmulator()
    const verify = async (code: string) => {
      await promise
      return Response.json({ code })
    }
    const creating = emulator.apps.create({ name: 'x', target: endpoint({ verify }) })
    const [app] = emulator.apps.list()
    emulator.apps.remove(app?.id ?? '')
    resolve()
    await expect(creating).rejects.toMatchObject({
      code: 'not_found',
      message: 'No app has this ID.',
    })
    expect(emulator.apps.list()).toEqual([])
  })

  test('has a handshake that can be replayed with its code', async () => {
    const { emulator, app, target } = await connect()
    const { exchangeId } = app.lastHandshake ?? {}
    const replayed = await emulator.exchanges.replay(exchangeId ?? '')
    expect(replayed).toMatchObject({ kind: 'verify', outcome: 'connected', replayOf: exchangeId })
    const codes = target.requests.map(({ url }) => new URL(url).searchParams.get('code'))
    expect(codes).toHaveLength(2)
    expect(codes[1]).toBe(codes[0])
  })
})

test('the last successful render is forgotten with its app, and when a snapshot is restored', async () => {
  let isDown = false
  const data = () => (isDown ? new Response('', { status: 500 }) : Response.json(widget('Pro')))
  const emulator = createEmulator()
  const create = (name: string) => emulator.apps.create({ name, target: endpoint({ data }) })
  const { id } = await create('One')
  await create('Two')
  const rendered = async () => {
    const { widgets } = await emulator.issues.open('iss_1042')
    return widgets.map(({ lastGood }) => lastGood !== null)
  }
  await rendered()
  isDown = true
  expect(await rendered()).toEqual([true, true])
  emulator.apps.remove(id)
  expect(await rendered()).toEqual([true])
  emulator.restore(emulator.snapshot())
  expect(await rendered()).toEqual([false])
})

test('a request as cURL reads its headers from variables', async () => {
  const emulator = createEmulator()
  const app = await emulator.apps.create({ name: 'x', target: echo, headers: { '1-key': 'v' } })
  const { url } = emulator.exchanges.get(app.lastHandshake?.exchangeId ?? '').request
  const code = () => {
    const [newest] = emulator.exchanges.list()
    return emulator.exchanges.get(newest?.id ?? '')
  }
  expect(code()).toMatchObject({
    curl: `curl --include --globoff -H '1-key: '"$_1_KEY" '${url}'`,
  })
  await emulator.apps.update(app.id, { headers: { '1-key': null } })
  const plain = code()
  expect(plain).toMatchObject({
    curl: `curl --include --globoff '${plain.request.url}'`,
  })
})
