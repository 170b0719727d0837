import type { Server as HttpServer, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { GuardedResponse } from './guarded-response.ts'

/** The open connections of a server, so that it can stop without dropping a request. */
export type ConnectionTracker = ReturnType<typeof trackConnections>

/**
 * Tracks the connections of a server, with little work per request.
 *
 * @param onAbandoned receives the work of a disconnected client
 */
export function trackConnections(server: HttpServer, onAbandoned: (work: unknown) => void) {
  /** The most recent response of each connection, which is the only one that may close it. */
  const connections = new Map<Socket, GuardedResponse | undefined>()
  let draining = false
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => {
      if (pendingResponse(socket)) onAbandoned(connections.get(socket)?.work)
      connections.delete(socket)
    })
  })

  /** Returns the unfinished response that was started last on a connection. */
  function pendingResponse(socket: Socket): ServerResponse | undefined {
    const response = connections.get(socket)
    return response?.writableFinished === false ? response : undefined
  }

  /**
   * Closes the server: rejects new connections, and closes idle ones immediately.
   * Resolves when clients have received the responses to all other requests.
   */
  async function drain(): Promise<void> {
    draining = true
    for (const response of connections.values()) {
      if (response) response.shouldKeepAlive = false
    }
    await readArrivedRequests()
    await new Promise<void>((resolve) => {
      closeIdle(() => resolve())
      // Node does not count a connection as idle before its first request.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    })
  }

  /**
   * Closes the server and its idle connections. Node counts a connection as idle as
   * soon as its response is complete, even if a slow client has not received it.
   */
  function closeIdle(onClosed: () => void): void {
    const busy = [...connections.keys()].filter((socket) => pendingResponse(socket))
    for (const socket of busy) socket.destroy = () => socket
    server.close(onClosed)
    for (const socket of busy) {
      delete (socket as Partial<Socket>).destroy
      const response = pendingResponse(socket)
      // The response may already have promised to keep the connection open.
      response?.once('close', () => void closeAfter(response, socket))
    }
  }

  async function closeAfter(response: ServerResponse, socket: Socket): Promise<void> {
    await readArrivedRequests()
    if (connections.get(socket) === response) socket.destroySoon()
  }

  return {
    /** The number of open connections. */
    get size(): number {
      return connections.size
    },
    /** Registers the response to a request. Call it before the listener. */
    track(response: GuardedResponse): void {
      const { socket } = response.req
      if (draining) {
        // The client pipelined this request, so the response before it must not close the
        // connection.
        const previous = connections.get(socket)
        if (previous?.headersSent === false) previous.shouldKeepAlive = true
        response.shouldKeepAlive = false
      }
      connections.set(socket, response)
    },
    pendingResponse,
    drain,
    /** Closes all connections immediately. */
    cutOff(): void {
      // drain() may not have closed the server yet.
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Waits two turns of the event loop, to read requests that clients have already sent. */
async function readArrivedRequests(): Promise<void> {
  await setImmediate()
  await setImmediate()
}
