import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { TOKEN_HEADER } from '../../../src/tools/emulator/protocol/workspace.ts'
import { echo, sendHead, start } from './control.ts'

describe('the session token', () => {
  test('is in the page, and every control route requires it', async () => {
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

  test('differs between emulators', async () => {
    expect((await start()).token).not.toBe((await start()).token)
  })
})

describe('a foreign request', () => {
  const paths = ['/', '/-/state', '/-/assets/app.js', '/users', '/openapi.json', '/docs', '/nope']
  const hosts = [
    'evil.example',
    'localhost',
    '127.0.0.1',
    'localhost.evil.example:PORT',
    '[::2]:PORT',
  ]

  test.each(hosts)('with the Host %s is rejected on every route', async (host) => {
    const { port, token, emulator } = await start()
    for (const path of paths) {
      const answer = await sendHead(port, [
        `GET ${path} HTTP/1.1`,
        `Host: ${host.replace('PORT', String(port))}`,
        `${TOKEN_HEADER}: ${token}`,
        `Authorization: Bearer ${emulator.accessToken}`,
      ])
      expect(answer).toMatch(/^HTTP\/1\.1 421 /)
      expect(answer).not.toContain(token)
    }
  })

  test('with another host in its request line is rejected, as a proxy would forward it', async () => {
    const { port, token } = await start()
    const answer = await sendHead(port, [
      'GET http://evil.example/-/state HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `${TOKEN_HEADER}: ${token}`,
    ])
    expect(answer).toMatch(/^HTTP\/1\.1 421 /)
  })

  test.each(['null', 'http://evil.example', 'https://127.0.0.1:PORT', 'http://127.0.0.1:1'])(
    'with the Origin %s is rejected on every route',
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

  test('with cross-site fetch metadata is rejected, unless it is a navigation', async () => {
    const { port } = await start()
    const follow = (mode: string) =>
      sendHead(port, [
        'GET / HTTP/1.1',
        `Host: localhost:${port}`,
        'Sec-Fetch-Site: cross-site',
        `Sec-Fetch-Mode: ${mode}`,
      ])
    expect(await follow('no-cors')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await follow('navigate')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('localhost and the loopback addresses are accepted as Host', async () => {
    const { port, control } = await start()
    expect((await control('state')).status).toBe(200)
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      const answer = await sendHead(port, ['GET / HTTP/1.1', `Host: ${host}`])
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})

describe('changes over the control routes', () => {
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
    [{ name: 'x' }, 'url', 'Enter the URL of the endpoint.'],
    [{ name: ' ', url: 'http://x/' }, 'name', 'Enter a name.'],
    [{ name: 1, url: 'http://x/' }, '', 'emulator.apps.create: name must be a string.'],
    [
      { name: 'x', url: 'http://x/', target: { fetch: 'x' } },
      '',
      'emulator.apps.create: target must be an object with a fetch method.',
    ],
    [
      { name: 'x', url: 'http://x/', color: 'red' },
      '',
      'emulator.apps.create: there is no option "color". The options are name, url, headers, widgets, target.',
    ],
    [
      { name: 'x', url: 'http://x/', headers: { a: 1 } },
      '',
      'emulator.apps.create: headers must be an object of strings, or Headers.',
    ],
    [
      { name: 'x', url: 'nonsense' },
      'url',
      'Expected an absolute URL, such as https://example.com/widget.',
    ],
  ])('that are invalid, such as %j, are rejected by their path', async (body, path, detail) => {
    const { control, emulator } = await start()
    const response = await control('apps', { body })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const problem = (await response.json()) as { path?: string; detail: string }
    expect(problem.path ?? '').toBe(path)
    expect('path' in problem).toBe(path !== '')
    expect(problem.detail).toBe(detail)
    expect(emulator.apps.list()).toEqual([])
  })

  test('larger than 1 MiB are rejected', async () => {
    const { control } = await start()
    const response = await control('apps', { body: { name: 'x'.repeat(1_100_000), url: 'x' } })
    expect(response.status).toBe(413)
  })

  test('to a fault that closes the connection take effect', async () => {
    const { emulator, url } = await start()
    emulator.faults.set([{ side: 'api', effect: { type: 'reset' } }])
    const headers = { authorization: `Bearer ${emulator.accessToken}` }
    await expect(fetch(`${url}/users`, { headers })).rejects.toThrow('fetch failed')
    emulator.faults.set([{ side: 'api', effect: { type: 'cut_off' } }])
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
    const state = await control('reset', { body: {} })
    expect(await state.json()).toMatchObject({
      apps: [{ state: 'connected' }],
    })
  })
})

describe('deeply nested input returns 400', () => {
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
  const bodies = [
    ['arrays', deep('[', ']')],
    ['objects', `${deep('{"a":', '')}1${'}'.repeat(100_000)}`],
    ['a field', `{"name":${deep('[', ']')}}`],
    ['no end', '['.repeat(500_000)],
  ] as const
  const routes = [
    ['POST', 'apps'],
    ['POST', 'issues/iss_1042/open'],
    ['PATCH', 'apps/app_1'],
    ['POST', 'apps'],
    ['POST', 'reset'],
  ] as const

  test.each(bodies)('%s', async (_name, body) => {
    const { url, token, control } = await start()
    for (const [method, path] of routes) {
      // oxlint-disable-next-line no-await-in-loop -- one route after another
      const response = await fetch(`${url}/-/${path}`, {
        method,
        headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json' },
        body,
      })
      expect([path, response.status]).toEqual([path, 400])
      // oxlint-disable-next-line no-await-in-loop -- one route after another
      expect(await response.json()).toMatchObject({ code: 'invalid_json' })
    }
    expect((await control('state')).status).toBe(200)
  })

  test('brackets in strings do not count as nesting', async () => {
    const { control } = await start()
    const params = { account_id: `\\"${'[{'.repeat(500)}` }
    expect((await control('issues/iss_1042/open', { body: { params } })).status).toBe(200)
  })
})

describe('the events', () => {
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test('end with the connection, even without a goodbye', async () => {
    const { emulator, port, token } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET /-/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${TOKEN_HEADER}: ${token}\r\n\r\n`,
    )
    await until(() => emulator.events.subscribers === 1)
    socket.resetAndDestroy()
    await until(() => emulator.events.subscribers === 0)
    expect(emulator.events.subscribers).toBe(0)
  })

  test('end for a client that does not read them, and not for the others', async () => {
    const { emulator, control } = await start()
    const reading = await control('events')
    const stalled = await control('events')
    await until(() => emulator.events.subscribers === 2)
    let received = 0
    const reader = reading.body?.getReader()
    const readAll = (async () => {
      for (;;) {
        const chunk = await reader?.read()
        if (chunk?.done !== false) return
        received += chunk.value.length
      }
    })()
    let sent = 0
    const text = 'x'.repeat(16_000)
    while (emulator.events.subscribers === 2) {
      for (let count = 0; count < 50; count += 1) {
        emulator.console.append({ stream: 'stdout', text })
        sent += text.length
      }
      await until(() => received >= sent)
    }
    expect(emulator.events.subscribers).toBe(1)
    expect(await stalled.text()).toMatch(/^: connected/)
    await reader?.cancel()
    await readAll
    await until(() => emulator.events.subscribers === 0)
  })
})

test('sends events until the client disconnects', async () => {
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

test('pages only run their own script and only load icons', async () => {
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

test('a check sends the IDs of the issue, with a preset and custom IDs in their place', async () => {
  const { control, emulator } = await start()
  const accounts = new Set<string | null>()
  const target = {
    fetch(request: Request) {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('request_type') === 'fetch_data') {
        accounts.add(searchParams.get('account_id'))
      }
      return echo.fetch(request)
    },
  }
  const { id } = await emulator.apps.create({ name: 'Echo', target })
  const customers = { Koi: { ids: { account_id: 'acc_koi' } }, Ada: { ids: { account_id: 'a' } } }
  emulator.project.set({ customers })
  const issue = emulator.issues.list().find(({ account }) => account?.id === 'acc_northwind')
  const sentBy = async (body: object) => {
    accounts.clear()
    const response = await control(`apps/${id}/check`, { body })
    expect(response.status).toBe(200)
    return accounts
  }
  expect(await sentBy({ issueId: issue?.id })).toContain('acc_northwind')
  expect(await sentBy({ issueId: issue?.id, customer: 'Koi' })).toContain('acc_koi')
  const params = { account_id: 'acc_lumen' }
  const custom = await sentBy({ issueId: issue?.id, customer: 'Koi', params })
  expect(custom).toContain('acc_lumen')
  expect(custom).not.toContain('acc_northwind')
  const all = await sentBy({})
  expect([...all]).toEqual(expect.arrayContaining(['acc_koi', 'a']))
  expect(all).not.toContain('acc_northwind')
  const unknown = await control(`apps/${id}/check`, { body: { issueId: 'iss_none' } })
  expect(unknown.status).toBe(404)
})
