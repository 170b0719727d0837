import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net'
import { afterAll, onTestFinished } from 'vitest'

/** Serves a plain node:http handler on a free port until the test is over. */
export async function listen(handler: RequestListener): Promise<string> {
  return start(createServer(handler))
}

/**
 * Creates a {@link listen} for concurrent tests, which do not have the hooks of a
 * single test. Its servers close after all tests of the file or of the `describe()`.
 */
export function listenConcurrently(): typeof listen {
  const closers: Array<() => Promise<void>> = []
  afterAll(async () => {
    await Promise.all(closers.map((close) => close()))
  })
  return (handler) => start(createServer(handler), (close) => closers.push(close))
}

/** Serves raw TCP, for responses that are not HTTP. */
export async function listenTcp(handler: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    handler(socket)
  })
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
  return start(server)
}

async function start(
  server: Server | TcpServer,
  onEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
