import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** How a server stops without dropping what it has accepted. */
export interface Drain {
  /** Hears of each request before the app does, so that the answer is still to be written. */
  track(request: IncomingMessage, response: ServerResponse): void
  /**
   * Stops: no new connections, idle ones closed at once, requests in flight
   * answered; what is not done after `drainTimeoutMs` is cut off.
   */
  drain(): Promise<void>
}

/** Watches the connections of a server. It stands on every request, so it does next to nothing there. */
export function makeDrainable(server: HttpServer, drainTimeoutMs: number): Drain {
  /** The last answer begun on each connection: no other may close it. */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let draining = false
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })

  async function drain(): Promise<void> {
    draining = true
    for (const response of connections.values()) if (response) response.shouldKeepAlive = false
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
      // Node does not count a connection without a first request as idle.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    })
  }

  return {
    track(request, response) {
      if (draining) response.shouldKeepAlive = false
      connections.set(request.socket, response)
    },
    drain,
  }
}
