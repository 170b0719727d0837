import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/**
 * Makes a server able to stop without dropping what it has accepted.
 *
 * @returns a function that stops it: no new connections, idle ones closed at
 * once, requests in flight answered; what is not done after `drainTimeoutMs` is
 * cut off
 */
export function makeDrainable(server: HttpServer, drainTimeoutMs: number): () => Promise<void> {
  const inFlight = new Set<ServerResponse>()
  /** Connections without a first request: Node does not count them as idle. */
  const fresh = new Set<Socket>()
  let draining = false
  server.on('connection', (socket) => {
    fresh.add(socket)
    socket.once('close', () => fresh.delete(socket))
  })
  // Before the app's own listener, so that the answer is still to be written.
  server.prependListener('request', (request, response) => {
    fresh.delete(request.socket)
    if (draining) response.shouldKeepAlive = false
    inFlight.add(response)
    response.once('close', () => inFlight.delete(response))
  })

  return async () => {
    draining = true
    for (const response of inFlight) response.shouldKeepAlive = false
    // What a client has already sent on an idle connection is read first: two turns of the loop.
    await setImmediate()
    await setImmediate()
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
      server.close(() => {
        clearTimeout(cutOff)
        resolve()
      })
      server.closeIdleConnections()
      for (const socket of fresh) if (socket.bytesRead === 0) socket.destroy()
    })
  }
}
