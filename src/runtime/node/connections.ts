import type { Server as HttpServer } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { GuardedResponse } from './guarded-response.ts'

/** The open connections of a server, so that it can stop without dropping a request. */
export type ConnectionTracker = ReturnType<typeof trackConnections>

/** How long the server waits for new connections before it stops listening. */
const QUIET_MS = 100
/** Node accepts a connection in one turn of the event loop, and reads its request in the next. */
const QUIET_TURNS = 2

/**
 * Tracks the connections of a server, with little work per request.
 *
 * @param onAbandoned receives the work of a disconnected client
 */
export function trackConnections(server: HttpServer, onAbandoned: (work: unknown) => void) {
  /** The most recent response of each connection, which is the only one that may close it. */
  const connections = new Map<Socket, GuardedResponse | undefined>()
  let phase: 'open' | 'stopping' | 'draining' = 'open'
  let lastArrival = now()
  let late = 0
  server.on('connection', (socket) => {
    if (phase === 'stopping') {
      lastArrival = now()
      late += 1
    }
    connections.set(socket, undefined)
    socket.once('close', () => {
      if (pendingResponse(socket)) onAbandoned(connections.get(socket)?.work)
      connections.delete(socket)
    })
  })

  /** Returns the unfinished response that was started last on a connection. */
  function pendingResponse(socket: Socket): GuardedResponse | undefined {
    const response = connections.get(socket)
    return response?.writableFinished === false ? response : undefined
  }

  /**
   * Waits until no new connection arrives, for at most `stopDelayMs`. Then closes the server and
   * its idle connections. Resolves when clients have received all responses.
   *
   * @param onBusy is called if new connections still arrived when the delay ended
   */
  async function drain(stopDelayMs: number, onBusy: () => void): Promise<void> {
    phase = 'stopping'
    for (const response of connections.values()) {
      if (response) response.shouldKeepAlive = false
    }
    const isQuiet = stopDelayMs === 0 || (await becomesQuiet(stopDelayMs))
    if (!isQuiet && late > 0) onBusy()
    phase = 'draining'
    await new Promise<void>((resolve) => {
      // The method of HTTP servers would also close connections whose client reads slowly.
      NetServer.prototype.close.call(server, () => resolve())
      for (const socket of connections.keys()) closeAfter(pendingResponse(socket))
      closeIdle()
    })
    // Now it only stops the timer that checks the timeouts of requests.
    server.close()
  }

  /** Returns whether connections stopped arriving within the delay. */
  async function becomesQuiet(stopDelayMs: number): Promise<boolean> {
    lastArrival = now()
    const endMs = lastArrival.ms + stopDelayMs
    for (;;) {
      const { ms, turn } = now()
      const restMs = lastArrival.ms + QUIET_MS - ms
      if (restMs <= 0 && turn - lastArrival.turn >= QUIET_TURNS) return true
      if (ms >= endMs) return false
      // oxlint-disable-next-line no-await-in-loop -- each wait depends on the connections before it
      await setTimeout(Math.max(1, Math.min(restMs, endMs - ms)))
    }
  }

  /** Closes idle connections, unless that would cut off a response to a slow client. */
  function closeIdle(): void {
    if ([...connections.keys()].some((socket) => isFlushing(socket))) return
    server.closeIdleConnections()
    // Node does not count a connection as idle before its first request.
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  /**
   * Returns whether Node counts a connection as idle although its client has not received
   * everything: the last response is complete, or waits for a pipelined one before it.
   */
  function isFlushing(socket: Socket): boolean {
    const response = pendingResponse(socket)
    return response !== undefined && (response.writableEnded || response.socket === null)
  }

  /** Closes idle connections after a response, which may have promised to keep its own open. */
  function closeAfter(response: GuardedResponse | undefined): void {
    response?.once('close', () => void nextTurns().then(closeIdle))
  }

  return {
    /** The number of open connections. */
    get size(): number {
      return connections.size
    },
    /** Registers the response to a request. Call it before the listener. */
    track(response: GuardedResponse): void {
      const { socket } = response.req
      if (phase !== 'open') {
        // The client pipelined this request, so the response before it must not close the
        // connection.
        const previous = connections.get(socket)
        if (previous?.headersSent === false) previous.shouldKeepAlive = true
        response.shouldKeepAlive = false
      }
      if (phase === 'draining') closeAfter(response)
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

/** Returns the time, and the number of turns that the event loop has begun. */
function now(): { readonly ms: number; readonly turn: number } {
  return { ms: performance.now(), turn: performance.nodeTiming.uvMetricsInfo.loopCount }
}

/** Waits until the server has read requests that clients have already sent. */
async function nextTurns(): Promise<void> {
  const { turn } = now()
  do {
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await setTimeout(1)
  } while (now().turn - turn < QUIET_TURNS)
}
