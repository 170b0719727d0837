import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve as serveHono } from '@hono/node-server'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { serve } from 'sidecard/node'
import schema from '../../schema/1.0.0.json' with { type: 'json' }
import { loadLibrary } from '../libraries/load.ts'
import { type App, APPS } from './apps.ts'
import { type Size, withLiterals } from './payloads.ts'

type Start = (size: Size) => Promise<string>

/** The servers by name. Each listens on a free port and returns its URL. */
export const SERVERS: Readonly<Record<string, Start>> = {
  ...Object.fromEntries(
    Object.entries(APPS).map(([name, create]) => [
      name,
      async (size: Size) => {
        const app = create(size)
        if (!name.startsWith('Sidecard')) return serveBare(app)
        return (await serve(app, { port: 0, handleSignals: false })).url
      },
    ]),
  ),
  'node:http + JSON.stringify': (size) => {
    let n = 0
    return listen(() => JSON.stringify(withLiterals(size, (n += 1))))
  },
  'Fastify + compiled ajv': async (size) => {
    const { default: fastify } = await loadLibrary('fastify')
    const app = fastify()
    const create = createValidPayloads(size)
    app.get('/', (request: { query: object }) => {
      Object.keys(request.query)
      return create()
    })
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
  'Express + compiled ajv': async (size) => {
    const { default: express } = await loadLibrary('express')
    const create = createValidPayloads(size)
    const app = express().get(
      '/',
      (request: { query: object }, response: { json(payload: unknown): void }) => {
        Object.keys(request.query)
        response.json(create())
      },
    )
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${server.address().port}`),
      )
    })
  },
}

function createValidPayloads(size: Size): () => unknown {
  const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  let n = 0
  return () => {
    const payload = withLiterals(size, (n += 1))
    if (!isValid(payload)) throw new TypeError('The payload is invalid.')
    return payload
  }
}

/** Serves a Hono app with Hono's own adapter. */
function serveBare(app: App): Promise<string> {
  return new Promise((resolve) => {
    serveHono(
      { fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' },
      ({ port }) => resolve(`http://127.0.0.1:${port}`),
    )
  })
}

function listen(createBody: () => string): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(createBody()),
  )
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}
