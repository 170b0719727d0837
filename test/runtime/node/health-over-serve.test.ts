import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { healthCheck, noAuth } from 'sidecard'
import { serve } from 'sidecard/node'
import { listen } from '../../helpers/listen.ts'

test.each([
  [200, 200, 'ok'],
  [404, 503, 'failing'],
  [500, 503, 'failing'],
  [503, 503, 'failing'],
])(
  'a data source that responds with %s to fetch() makes the health check %s',
  async (sourceStatus, status, state) => {
    const source = await listen((_request, response) => response.writeHead(sourceStatus).end())
    const health = healthCheck({
      sources: { errors: (_env, signal) => fetch(source, { signal }) },
      auth: noAuth(),
    })
    const app = new Hono().route('/health', health)
    await using server = await serve(app, { port: 0, handleSignals: false })
    const response = await fetch(`${server.url}/health`)
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { status: state, sources: { errors: state } },
    ])
  },
)
