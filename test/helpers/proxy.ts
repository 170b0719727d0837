import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'

/**
 * Starts a proxy that sends every request to one server, whatever its host name
 * is, and rejects tunnels to port 443.
 */
export async function startProxy(server: string) {
  const requests: string[] = []
  const { port: serverPort } = new URL(server)
  const sockets = new Set<Duplex>()
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request
    requests.push(`${method} ${new URL(url).host}`)
    const { pathname, search } = new URL(url)
    const forwarded = send({ port: serverPort, method, path: pathname + search, headers })
    forwarded.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, received.rawHeaders)
      received.pipe(response)
    })
    request.pipe(forwarded)
  })
  proxy.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url}`)
    sockets.add(socket)
    if (request.url?.endsWith(':443') === true) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    const upstream = connect(Number(serverPort), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests }
}
