import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { eventually } from '../helpers/eventually.ts'
import { openWorkspace, startDev, temporaryFolder } from '../helpers/dev-command.ts'
import { startApp, startSession } from '../helpers/dev-session.ts'
import { FETCH_DATA, PAYLOAD, startEndpoint } from './tunnel-endpoint.ts'

describe('sidecard dev --tunnel-port', () => {
  const guarded = (isOpen: (request: IncomingMessage) => boolean) =>
    startEndpoint((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x')
      if (!isOpen(request)) {
        response.writeHead(401).end()
        return
      }
      const isVerify = searchParams.get('request_type') === 'verify'
      const body = isVerify ? JSON.stringify({ code: searchParams.get('code') }) : PAYLOAD
      response.setHeader('content-type', 'application/json').end(body)
    })

  test('opens the port for an endpoint that requires its secret', async () => {
    const { url } = await guarded(({ headers }) => headers['x-key'] === 's3cret')
    const dev = startDev(
      temporaryFolder(),
      '--url',
      url.href,
      '-H',
      'x-key: s3cret',
      '--tunnel-port',
      '0',
    )
    const [, proxy = ''] = await dev.until(/Tunnel to {2}(\S+)/)
    await dev.until(/connected {2}/)
    expect(new URL(proxy).search).toBe('?tenant=acme')
    expect((await fetch(`${proxy}${FETCH_DATA}`)).status).toBe(401)
    const headers = { 'x-key': 's3cret' }
    expect(await (await fetch(`${proxy}${FETCH_DATA}`, { headers })).text()).toBe(PAYLOAD)
    const [, workspace = ''] = await dev.until(/Workspace {2}(\S+)/)
    const { get } = await openWorkspace(workspace)
    const live = await eventually(async () => {
      const exchanges: any[] = await get('exchanges')
      const found = exchanges.filter(({ source }) => source === 'live')
      expect(found).toHaveLength(2)
      return found
    })
    expect(new Set(live.map(({ status }) => status))).toEqual(new Set([200, 401]))
    expect(JSON.stringify(await get(`exchanges/${live[0].id}`))).not.toContain('s3cret')
    dev.child.kill('SIGINT')
    expect(await dev.exit).toEqual([0, null])
    await expect(fetch(proxy)).rejects.toThrow('fetch failed')
  }, 30_000)

  const KEY = { 'x-key': 's3cret' }

  test.each<[string, (request: IncomingMessage) => boolean]>([
    ['everyone', () => true],
    ['any value of the header', ({ headers }) => headers['x-key'] !== undefined],
    [
      'a handshake',
      ({ url, headers }) => headers['x-key'] === 's3cret' || url?.includes('verify') === true,
    ],
    [
      'a data fetch',
      ({ url, headers }) => headers['x-key'] === 's3cret' || url?.includes('fetch_data') === true,
    ],
  ])('does not open the port for an endpoint that responds to %s', async (_name, isOpen) => {
    const { url, received } = await guarded(isOpen)
    const session = startSession({ url: url.href, headers: () => KEY, tunnelPort: 0 })
    await expect(session.exit).rejects.toMatchObject({
      code: 'usage',
      message:
        '--tunnel-port: the endpoint responds without its secret, so anyone with the tunnel URL could read customer data. Require the secret first (auth: secretHeader(…)).',
    })
    expect(session.output()).not.toContain('Tunnel to')
    const tried = received.map((request) => [
      new URL(request.url ?? '', 'http://x').search,
      request.headers['x-key'],
    ])
    const verify = '?tenant=acme&request_type=verify&code=sidecard-protection-check'
    const ids = 'app_id widget_id issue_id organization_id account_id requester_id requester_email'
    const unknown = ids.split(' ').map((name) => `&${name}=unknown`)
    const fetchData = `?tenant=acme&request_type=fetch_data${unknown.join('')}`
    expect(new Set(tried.map(String))).toEqual(
      new Set(
        [verify, fetchData].flatMap((query) => [`${query},`, `${query},sidecard-wrong-secret`]),
      ),
    )
  })

  test('shows the requests of the tunnel in the workspace, even after the app was deleted', async () => {
    const { url } = await guarded(({ headers }) => headers['x-key'] === 's3cret')
    const session = startSession({ url: url.href, headers: () => KEY, tunnelPort: 0 })
    const [, tunnel = ''] = await session.until(/Tunnel to {2}(\S+)\n/)
    const workspaceUrl = await session.workspaceUrl()
    const { get, send } = await openWorkspace(workspaceUrl)
    expect((await fetch(`${tunnel}${FETCH_DATA}`, { headers: KEY })).status).toBe(200)
    await eventually(async () => {
      const [newest] = await get('exchanges')
      expect(newest).toMatchObject({ source: 'live', status: 200, outcome: 'rendered' })
    })
    const [app] = (await get('state')).apps
    expect((await send('DELETE', `apps/${app.id}`)).status).toBe(204)
    expect((await fetch(`${tunnel}${FETCH_DATA}`, { headers: KEY })).status).toBe(200)
    expect(await session.stop()).toBe(0)
    await expect(fetch(tunnel)).rejects.toThrow('fetch failed')
  })

  test('shows rejected requests and unknown parameters', async () => {
    const { url } = await guarded(({ headers }) => headers['x-key'] === 's3cret')
    const session = startSession({ url: url.href, headers: () => KEY, tunnelPort: 0 })
    const [, tunnel = ''] = await session.until(/Tunnel to {2}(\S+)\n/)
    const { get } = await openWorkspace(await session.workspaceUrl())
    const newest = async () => get(`exchanges/${(await get('exchanges'))[0].id}`)
    const target = `${tunnel}${FETCH_DATA}`
    expect((await fetch(`${target}&agent_id=agt_1`, { headers: KEY })).status).toBe(200)
    await eventually(async () => {
      const { status, request } = await newest()
      expect([status, request.parameters]).toEqual([
        200,
        expect.arrayContaining([['agent_id', 'agt_1']]),
      ])
    })
    const rejected = await fetch(`${target}&tenant=other`, { headers: KEY })
    expect(rejected.status).toBe(400)
    await eventually(async () =>
      expect(await newest()).toMatchObject({ status: 400, source: 'live' }),
    )
    expect((await fetch(new URL('/private?x=canary', tunnel))).status).toBe(404)
    await eventually(() =>
      expect(session.errors()).toBe(
        [
          'sidecard dev: assumption A16 does not hold: a data fetch has agent_id. Assumed: Requests do not say which agent opened the issue.',
          'sidecard dev: the request has a parameter that the contract does not list: agent_id',
          'sidecard dev: tunnel request: GET /private (404)\n',
        ].join('\n'),
      ),
    )
    expect(await session.stop()).toBe(0)
    expect(session.errors()).toMatch(
      /\nsidecard dev: assumptions in 3 requests: hold [A\d, ]*\bA4\b[A\d, ]*; do not hold A16; not decided [A\d, ]*\bA12\b[A\d, ]*\n$/,
    )
  })

  test('forwards nothing while a change makes the endpoint accept any request', async () => {
    const app = await startApp({ says: 'x', secret: 's3cret' })
    const session = startSession({ url: app.url, headers: () => KEY, tunnelPort: 0 })
    const [, tunnel = ''] = await session.until(/Tunnel to {2}(\S+)\n/)
    const workspace = await openWorkspace(await session.workspaceUrl())
    const read = async () => {
      const response = await fetch(`${tunnel}?request_type=fetch_data`, { headers: KEY })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await read()).toEqual([200, undefined])
    app.behavior.secret = undefined
    await session.saveAndReload(workspace)
    expect(await read()).toEqual([503, 'not_protected'])
    app.behavior.secret = 's3cret'
    await workspace.nextChange()
    expect(await read()).toEqual([200, undefined])
    expect(session.errors()).toBe(
      'sidecard dev: the endpoint responds without its secret: tunnel requests are rejected\n' +
        'sidecard dev: the endpoint requires its secret again: tunnel requests are forwarded\n',
    )
  })

  test('explains how to fix a port that is in use', async () => {
    const { url } = await guarded(({ headers }) => headers['x-key'] === 's3cret')
    const session = startSession({
      url: url.href,
      headers: () => KEY,
      tunnelPort: Number(url.port),
    })
    await expect(session.exit).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Cannot listen on port ${url.port} (EADDRINUSE). Choose another --tunnel-port (0 picks a free port).`,
    })
  })
})
