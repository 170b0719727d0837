import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../helpers/eventually.ts'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { startApp, startSession } from '../../helpers/dev-session.ts'
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

  test('forwards no request without the secret to an endpoint that does not require it', async () => {
    const { url, received } = await guarded(() => true)
    const session = startSession({ url: url.href, headers: () => KEY, tunnelPort: 0 })
    const [, tunnel = ''] = await session.until(/Tunnel to {2}(\S+)\n/)
    const before = received.length
    const statuses = [{}, { 'x-key': 'wrong' }, KEY].map(
      async (headers) => (await fetch(`${tunnel}${FETCH_DATA}`, { headers })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 401, 200])
    expect(received).toHaveLength(before + 1)
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
      /\nsidecard dev: assumptions in 3 requests: hold: [A\d, ]*\bA4\b[A\d, ]*; false: A16; not decided: [A\d, ]*\bA12\b[A\d, ]*\n$/,
    )
  })

  test('requires a changed secret after the reload', async () => {
    const app = await startApp({ says: 'x', secret: 's3cret' })
    let key = 's3cret'
    const session = startSession({
      url: app.url,
      headers: () => ({ 'x-key': key }),
      tunnelPort: 0,
    })
    const [, tunnel = ''] = await session.until(/Tunnel to {2}(\S+)\n/)
    const workspace = await openWorkspace(await session.workspaceUrl())
    const read = async (secret: string) => {
      const url = `${tunnel}?request_type=fetch_data`
      return (await fetch(url, { headers: { 'x-key': secret } })).status
    }
    expect([await read('s3cret'), await read('changed')]).toEqual([200, 401])
    key = 'changed'
    app.behavior.secret = 'changed'
    await session.saveAndReload(workspace)
    expect([await read('s3cret'), await read('changed')]).toEqual([401, 200])
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
