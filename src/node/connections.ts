import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Tracks the open connections of a server, so that it can stop without dropping a request. */
export interface ConnectionTracker {
  /** Registers a request. Call it before the app. */
  track(request: IncomingMessage, response: ServerResponse): void
  /** Returns the unfinished response that was started last on a connection. */
  pendingResponse(socket: Socket): ServerResponse | undefined
  /**
   * Closes the server: no new connections, idle ones closed immediately,
   * requests in flight finished. Cuts off the rest after `drainTimeoutMs`.
   */
  drain(): Promise<void>
}

/** Tracks the connections of a server. It runs for every request, so it does little work. */
export function trackConnections(server: HttpServer, drainTimeoutMs: number): ConnectionTracker {
  /** The most recent response of each connection. Only that one may close it. */
  const connections = new Map<Socket, ServerResponse | undefined>()
  let draining = false
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })

  async function drain(): Promise<void> {
    draining = true
    for (const response of connections.values()) if (response) response.shouldKeepAlive = false
    // Two turns of the event loop, to read requests that clients have already sent on idle
    // connections.
    await setImmediate()
    await setImmediate()
    await new Promise<void>((resolve) => {
      const cutOff = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
      server.close(() => {
        clearTimeout(cutOff)
        resolve()
      })
      // For Node, a connection without a first request is not idle.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    })
  }

  return {
    track(request, response) {
      if (draining) {
        // The client pipelined this request, so the response before it must not close the
        // connection.
        const previous = connections.get(request.socket)
        if (previous?.headersSent === false) previous.shouldKeepAlive = true
        response.shouldKeepAlive = false
      }
      connections.set(request.socket, response)
    },
    pendingResponse(socket) {
      const response = connections.get(socket)
      return response?.writableFinished === false ? response : undefined
    },
    drain,
  }
}
