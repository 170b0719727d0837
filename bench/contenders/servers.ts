import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from '../../schema/1.0.0.json' with { type: 'json' }
import { serve as serveHono } from '@hono/node-server'
import { serve } from 'sidecard/node'
import { loadOther } from '../others/load.ts'
import { type App, APPS } from './apps.ts'
import { literals, type Size } from './sizes.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

type Start = (size: Size) => Promise<string>

/** Servers by name; each listens on a free port and gives its address. */
export const SERVERS: Readonly<Record<string, Start>> = {
  'raw node:http, constant text': (size) => {
    const text = JSON.stringify(literals(size, 7))
    return listen(() => text)
  },
  'raw node:http + JSON.stringify': (size) => {
    let n = 0
    return listen(() => JSON.stringify(literals(size, (n = (n + 1) % 1000))))
  },
  ...Object.fromEntries(
    Object.entries(APPS).map(([name, make]) => [
      name,
      async (size: Size) => {
        const app = await make(size)
        return name === 'sidecard'
          ? (await serve(app, { port: 0, handleSignals: false })).url
          : serveBare(app)
      },
    ]),
  ),
  'Fastify + compiled ajv': async (size) => {
    const { default: fastify } = await loadOther('fastify')
    const app = fastify()
    let n = 0
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    app.get('/', (request: { query: object }) => {
      Object.keys(request.query)
      const payload = literals(size, (n = (n + 1) % 1000))
      if (!isValid(payload)) throw new TypeError('The payload is not valid.')
      return payload
    })
    return app.listen({ port: 0, host: '127.0.0.1' })
  },
  'Express + compiled ajv': async (size) => {
    const { default: express } = await loadOther('express')
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
    let n = 0
    const app = express().get(
      '/',
      (request: { query: object }, response: { json(payload: unknown): void }) => {
        Object.keys(request.query)
        const payload = literals(size, (n = (n + 1) % 1000))
        if (!isValid(payload)) throw new TypeError('The payload is not valid.')
        response.json(payload)
      },
    )
    return new Promise((resolve) => {
      const server = app.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${server.address().port}`),
      )
    })
  },
}

/** As Hono's own adapter serves it. */
function serveBare(app: App): Promise<string> {
  return new Promise((resolve) => {
    serveHono(
      { fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' },
      ({ port }) => resolve(`http://127.0.0.1:${port}`),
    )
  })
}

function listen(answer: () => string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(200, JSON_TYPE).end(answer()))
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}
