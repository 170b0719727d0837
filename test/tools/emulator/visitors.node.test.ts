import { randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { ACTION_PAGES, CONTROL_PREFIX } from '../../../src/tools/emulator/protocol/workspace.ts'
import { exchange } from '../../helpers/raw-http.ts'

/** All of 127.0.0.0/8 is this machine. The emulator listens as on a network. */
const HOSTNAME = '0.0.0.0'

async function start() {
  const emulator = createEmulator({ accessToken: 'of-the-api' })
  onTestFinished(() => emulator.close())
  const { port, token = '' } = await emulator.listen({
    hostname: HOSTNAME,
    allowHosts: ['My-Box.local'],
  })
  /** Sends a request, and returns its status and its response. */
  async function send(line: string, headers: Readonly<Record<string, string>>) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = [`${line} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n')
    const response = await exchange(port, head)
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]), response }
  }
  return { emulator, port, token, send }
}

/** The routes that are not the API, and their statuses for a visitor without a session token. */
const ROUTES = {
  'GET /': 200,
  'GET /docs': 200,
  'GET /openapi.json': 200,
  'GET /favicon.ico': 204,
  [`GET ${CONTROL_PREFIX}assets/app.js`]: 200,
  [`GET ${CONTROL_PREFIX}state`]: 401,
  [`GET ${CONTROL_PREFIX}events`]: 401,
  [`POST ${CONTROL_PREFIX}source/open`]: 401,
  [`GET ${ACTION_PAGES}none`]: 404,
  'GET /unknown': 404,
  'GET /tags/': 404,
  'POST /-/../': 404,
} as const

/** The IPv4 addresses of this machine on its networks. */
const ADDRESSES = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address }) => address)

const HOSTS: ReadonlyArray<readonly [name: string, isValid: boolean]> = [
  ...['localhost', '127.0.0.1', ...ADDRESSES].map((name) => [`${name}:PORT`, true] as const),
  ...['my-box.local:PORT', 'my-box.local', 'MY-BOX.local:1'].map((name) => [name, true] as const),
  ...[
    'evil.example:PORT',
    'my-box.local.evil.example',
    '0.0.0.0:PORT',
    '127.0.0.1',
    'localhost:1',
  ].map((name) => [name, false] as const),
]

const TOKENS = ['none', 'wrong', 'prefix', 'right'] as const

test('each route except the API requires the token of a visitor, for each valid host', async () => {
  const { port, token, send } = await start()
  const given = { none: '', wrong: randomUUID(), prefix: token.slice(0, -1), right: token }
  const cells = new Map<string, number>()
  for (const [route, expected] of Object.entries(ROUTES)) {
    for (const [name, isValid] of HOSTS) {
      for (const which of TOKENS) {
        const host = name.replace('PORT', String(port))
        const [, ownPort = ''] = /:(\d+)$/.exec(host) ?? []
        const cookie = `other=1; sidecard-${ownPort}=${given[which]}`
        // oxlint-disable-next-line no-await-in-loop -- one request after another
        const { status, response } = await send(route, { Host: host, Cookie: cookie })
        const wanted = isValid ? (which === 'right' ? expected : 401) : 421
        expect([route, host, which, status]).toEqual([route, host, which, wanted])
        const reason = !isValid ? 'wrong_host' : which === 'right' ? '' : 'no_visitor'
        expect(response).toContain(reason)
        cells.set(`${route} ${name} ${which}`, status)
      }
    }
  }
  const product = Object.keys(ROUTES).length * HOSTS.length * TOKENS.length
  expect(product - cells.size).toBe(0)
})

test('the URL with the token sets a cookie, and redirects to the URL without it', async () => {
  const { port, token, send } = await start()
  expect(Buffer.from(token, 'base64url')).toHaveLength(16)
  const Host = `127.0.0.2:${port}`
  expect((await send(`GET /?token=${token}`, { Host })).status).toBe(421)
  const own = { Host: `127.0.0.1:${port}` }
  const { status, response } = await send(`GET /?token=${token}`, own)
  expect(status).toBe(303)
  expect(response).toMatch(/^location: \/\r$/im)
  expect(response).toMatch(
    new RegExp(
      `^set-cookie: sidecard-${port}=${token}; Path=/; HttpOnly; SameSite=Strict\\r$`,
      'im',
    ),
  )
  for (const query of ['?token=', `?token=${token}x`, `docs?token=${token}`]) {
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    expect((await send(`GET /${query}`, own)).status).toBe(401)
  }
})

test('the API requires only its own token, and its log contains no token of a visitor', async () => {
  const { emulator, port, token, send } = await start()
  const Host = `localhost:${port}`
  await send(`GET /?token=${token}`, { Host })
  expect((await send('GET /tags', { Host })).status).toBe(401)
  expect((await send('GET /tags', { Host, Authorization: 'Bearer of-the-api' })).status).toBe(200)
  expect(JSON.stringify(emulator.requests.list())).not.toContain(token)
})

test('each emulator on the network has a new token, and one on this machine has none', async () => {
  const tokens = new Set<string | undefined>()
  for (const hostname of [HOSTNAME, HOSTNAME, '127.0.0.1', 'localhost', '127.0.0.2']) {
    const emulator = createEmulator()
    onTestFinished(() => emulator.close())
    // oxlint-disable-next-line no-await-in-loop -- one emulator after another
    tokens.add((await emulator.listen({ hostname })).token)
  }
  expect(tokens.size).toBe(3)
  expect(tokens).toContain(undefined)
})

test.runIf(ADDRESSES.length > 0)(
  'only a browser on the same machine can open the editor',
  async () => {
    const { port, token } = await start()
    const open = async (host: string) => {
      const url = `http://${host}:${port}${CONTROL_PREFIX}source/open`
      const headers = { cookie: `sidecard-${port}=${token}` }
      return (await fetch(url, { method: 'POST', headers })).text()
    }
    expect(await open(ADDRESSES[0] ?? '')).toContain('"code":"not_local"')
    expect(await open('127.0.0.1')).toContain('"code":"wrong_token"')
  },
)

test('an origin with TLS is valid only for an allowed name, whose proxy has the certificate', async () => {
  const { port, token, send } = await start()
  const statusOf = async (host: string, origin: string, cookiePort: string | number) =>
    (await send('GET /', { Host: host, Origin: origin, Cookie: `sidecard-${cookiePort}=${token}` }))
      .status
  expect(await statusOf('my-box.local', 'https://my-box.local', '')).toBe(200)
  expect(await statusOf('my-box.local', 'https://my-box.local:3000', '')).toBe(403)
  expect(await statusOf(`localhost:${port}`, `https://localhost:${port}`, port)).toBe(403)
})
