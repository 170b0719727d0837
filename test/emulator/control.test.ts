import { afterEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from 'sidecard/emulator'
import { CONTROL_PREFIX, TOKEN_HEADER } from '../../src/emulator/protocol.ts'
import { exchange } from '../helpers/raw-http.ts'

const running: Emulator[] = []
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close()
})

/** A listening emulator and the token that its page carries. */
async function start() {
  const emulator = createEmulator()
  running.push(emulator)
  const { url, port } = await emulator.listen()
  const page = await (await fetch(`${url}/`)).text()
  const token = /<meta name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const control = (path: string, init: { method?: string; body?: unknown; token?: string } = {}) =>
    fetch(`${url}${CONTROL_PREFIX}${path}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: { [TOKEN_HEADER]: init.token ?? token, 'content-type': 'application/json' },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    })
  return { emulator, url, port, token, control }
}

/** Sends a request head as it is, and reads all that comes back. */
function ask(port: number, lines: readonly string[]): Promise<string> {
  return exchange(port, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
}

const echo = {
  fetch(request: Request) {
    const code = new URL(request.url).searchParams.get('code')
    const header = { title: 'Echo', icon_url: 'https://example.com/i.png' }
    return Response.json(code === null ? { version: '1.0.0', header, components: [] } : { code })
  },
}

describe('the token of the run', () => {
  test('is in the page, and every control route wants it', async () => {
    const { token, control } = await start()
    expect(token.length).toBeGreaterThan(30)
    for (const path of ['state', 'events', 'issues/iss_1042', 'exchanges', 'nonsense']) {
      for (const wrong of ['', 'x', `${token}x`, token.slice(1)]) {
        expect((await control(path, { token: wrong })).status).toBe(401)
      }
    }
    expect((await control('reset', { token: 'x', body: {} })).status).toBe(401)
    expect((await control('state')).status).toBe(200)
  })

  test('is another one for each emulator', async () => {
    expect((await start()).token).not.toBe((await start()).token)
  })
})

describe('a request that was not meant for the emulator', () => {
  const paths = ['/', '/-/state', '/-/assets/app.js', '/users', '/openapi.json', '/docs', '/nope']
  const hosts = [
    'evil.example',
    'localhost',
    '127.0.0.1',
    'localhost.evil.example:PORT',
    '[::2]:PORT',
  ]

  test.each(hosts)('by its Host %s is refused on every route', async (host) => {
    const { port, token, emulator } = await start()
    for (const path of paths) {
      const answer = await ask(port, [
        `GET ${path} HTTP/1.1`,
        `Host: ${host.replace('PORT', String(port))}`,
        `${TOKEN_HEADER}: ${token}`,
        `Authorization: Bearer ${emulator.accessToken}`,
      ])
      expect(answer).toMatch(/^HTTP\/1\.1 421 /)
      expect(answer).not.toContain(token)
    }
  })

  test.each(['null', 'http://evil.example', 'https://127.0.0.1:PORT', 'http://127.0.0.1:1'])(
    'by its Origin %s is refused on every route',
    async (origin) => {
      const { url, port, token, emulator } = await start()
      for (const path of paths) {
        const response = await fetch(`${url}${path}`, {
          headers: {
            origin: origin.replace('PORT', String(port)),
            [TOKEN_HEADER]: token,
            authorization: `Bearer ${emulator.accessToken}`,
          },
        })
        expect([path, response.status]).toEqual([path, 403])
      }
    },
  )

  test('by its fetch metadata is refused, unless somebody followed a link', async () => {
    const { port } = await start()
    const follow = (mode: string) =>
      ask(port, [
        'GET / HTTP/1.1',
        `Host: localhost:${port}`,
        'Sec-Fetch-Site: cross-site',
        `Sec-Fetch-Mode: ${mode}`,
      ])
    expect(await follow('no-cors')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await follow('navigate')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('localhost and the loopback addresses are its names', async () => {
    const { port, control } = await start()
    expect((await control('state')).status).toBe(200)
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      const answer = await ask(port, ['GET / HTTP/1.1', `Host: ${host}`])
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})

describe('changes', () => {
  test('must be JSON', async () => {
    const { url, token } = await start()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const response = await fetch(`${url}/-/reset`, {
        method: 'POST',
        headers: { [TOKEN_HEADER]: token, 'content-type': type },
        body: '{}',
      })
      expect(response.status).toBe(415)
    }
  })

  test.each([
    [{ name: 'x' }, 'url'],
    [{ name: 1, url: 'http://x/' }, 'name'],
    [{ name: 'x', url: 'http://x/', colour: 'red' }, ''],
    [{ name: 'x', url: 'http://x/', headers: { a: 1 } }, 'headers.a'],
    [{ name: 'x', url: 'nonsense' }, 'url'],
  ])('that are wrong, as %j, are refused by their path', async (body, path) => {
    const { control, emulator } = await start()
    const response = await control('apps', { body })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const problem = (await response.json()) as { path?: string; detail: string }
    expect(problem.path ?? '').toBe(path)
    expect(problem.detail).toMatch(/\S/)
    expect(emulator.apps.list()).toEqual([])
  })

  test('of over a megabyte are refused', async () => {
    const { control } = await start()
    const response = await control('apps', { body: { name: 'x'.repeat(1_100_000), url: 'x' } })
    expect(response.status).toBe(413)
  })

  test('of the faults reach the API', async () => {
    const { control, emulator, url } = await start()
    const rules = [{ side: 'api', effect: { type: 'status', status: 503 } }]
    expect((await control('faults', { method: 'PUT', body: { seed: 1, rules } })).status).toBe(200)
    const headers = { authorization: `Bearer ${emulator.accessToken}` }
    expect((await fetch(`${url}/users`, { headers })).status).toBe(503)
  })

  test('a fault that closes the connection closes it', async () => {
    const { emulator, url } = await start()
    emulator.faults = { seed: 1, rules: [{ side: 'api', effect: { type: 'reset' } }] }
    const headers = { authorization: `Bearer ${emulator.accessToken}` }
    await expect(fetch(`${url}/users`, { headers })).rejects.toThrow('fetch failed')
    emulator.faults = { seed: 1, rules: [{ side: 'api', effect: { type: 'cut_off' } }] }
    const cut = await fetch(`${url}/users`, { headers })
    await expect(cut.text()).rejects.toThrow('terminated')
  })
})

describe('an app over the control routes', () => {
  test('is created, loaded, inspected, replayed, checked and deleted', async () => {
    const { control, emulator } = await start()
    const { id, widgets } = await emulator.apps.create({ name: 'Echo', target: echo })
    const widgetId = widgets[0]?.id ?? ''

    const loaded = await control(`issues/iss_1042/widgets/${widgetId}/load`, { body: {} })
    const { outcome, exchangeId } = (await loaded.json()) as Record<string, string>
    expect(outcome).toBe('rendered')

    const shown = (await (await control(`exchanges/${exchangeId}`)).json()) as {
      request: { url: string }
    }
    const replayed = await control(`exchanges/${exchangeId}/replay`, { method: 'POST' })
    expect(await replayed.json()).toMatchObject({
      replayOf: exchangeId,
      outcome: 'rendered',
      request: { url: shown.request.url },
    })
    expect(((await (await control('exchanges')).json()) as unknown[]).length).toBe(3)

    const report = (await (await control(`apps/${id}/check`, { method: 'POST' })).json()) as {
      results: { rule: string }[]
    }
    expect(report.results.length).toBeGreaterThan(50)

    expect((await control(`apps/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await control(`apps/${id}/connect`, { method: 'POST' })).status).toBe(404)
  })

  test('survives a reset of the data from the workspace', async () => {
    const { control, emulator } = await start()
    await emulator.apps.create({ name: 'Echo', target: echo })
    const state = await control('reset', { body: { seed: 'empty' } })
    expect(await state.json()).toMatchObject({
      seed: 'empty',
      issues: [],
      apps: [{ state: 'connected' }],
    })
  })
})

test('events tell what happens until the reader goes', async () => {
  const { emulator, control } = await start()
  const response = await control('events')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader?.read())?.value ?? ''
  await emulator.apps.create({ name: 'Echo', target: echo })
  while (!text.includes('"exchange"')) text += (await reader?.read())?.value ?? ''
  expect(text).toContain('data: {"type":"state"}')
  await reader?.cancel()
})

test('pages run nothing but their own script, and reach nothing but icons', async () => {
  const { url } = await start()
  for (const path of ['/', '/docs']) {
    const { headers } = await fetch(`${url}${path}`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('a second listener on a port is told what to do', async () => {
  const { port } = await start()
  const other = createEmulator()
  running.push(other)
  await expect(other.listen({ port })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining('--port'),
  })
})

test('closing ends open streams at once, and closing twice does nothing', async () => {
  const { emulator, control } = await start()
  const { body } = await control('events')
  await emulator.close()
  await emulator.close()
  await expect(body?.pipeTo(new WritableStream())).rejects.toThrow('terminated')
})
