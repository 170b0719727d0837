import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostName } from './matrix.ts'

/** Calls a function of the Fetch API, and waits for the promises that its platform waits for. */
const callFetch = (load: string) => `
const work: Promise<unknown>[] = []
const waitUntil = (promise: Promise<unknown>) => void work.push(promise)
${load}
export async function call(url: URL, method: string, headers: Record<string, string>, body: Buffer) {
  const init = { method, headers, ...(method === 'POST' && { body }) }
  const response = await handle(new Request(url, init))
  const text = await response.text()
  while (work.length > 0) await Promise.all(work.splice(0))
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text }
}`

/** How each platform calls its function. */
const CALLS: Partial<Record<HostName, string>> = {
  Vercel: callFetch(`
import * as functions from './api/billing.ts'
Object.assign(globalThis, { [Symbol.for('@vercel/request-context')]: { get: () => ({ waitUntil }) } })
const handle = (request: Request) =>
  functions[request.method as keyof typeof functions]?.(request) ?? new Response('', { status: 405 })`),
  Netlify: callFetch(`
import handler from './netlify/functions/billing.ts'
const handle = (request: Request) => handler(request, { waitUntil })`),
  'AWS Lambda': `
import { handler } from './src/lambda.ts'
export async function call(url: URL, method: string, headers: Record<string, string>, body: Buffer) {
  const http = { method, path: url.pathname, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'x' }
  const requestContext = { http, domainName: url.host, stage: '$default' }
  const event = { version: '2.0', routeKey: '$default', rawPath: url.pathname, rawQueryString: url.search.slice(1), headers, requestContext, body: body.toString('base64'), isBase64Encoded: true }
  const { statusCode, ...response } = (await handler(event as never, {} as never)) as any
  return { status: statusCode, ...response }
}`,
}

/** A server that says when the platform freezes the process, and only then responds. */
const SERVER = `
import { createServer } from 'node:http'
import { call } from './call.ts'
const port = Number(process.env['PORT'])
createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '', 'http://127.0.0.1:' + port)
  const { status, headers, body } = await call(url, request.method ?? '', request.headers as Record<string, string>, Buffer.concat(chunks))
  console.log('MATRIX frozen')
  response.writeHead(status, headers).end(body)
}).listen(port, '127.0.0.1')
`

/** Writes a server that calls a function as its platform does. */
export function writeFunctionServer(folder: string, host: HostName): void {
  writeFileSync(join(folder, 'call.ts'), CALLS[host] ?? '')
  writeFileSync(join(folder, 'function-server.ts'), SERVER)
}
