import type { Socket } from 'node:net'
import type { ConnectionTracker } from './connections.ts'
import { type ProblemStatus, rawProblemResponse } from './problem.ts'

const STATUS_FOR_CODE: Readonly<Record<string, ProblemStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Rejects an invalid request, after the responses to earlier requests on the connection. */
export function handleClientError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  connections: ConnectionTracker,
): void {
  const pending = connections.pendingResponse(socket)
  // The error is in the body of the current request, whose response has started and cannot be
  // replaced.
  const isTruncated = pending?.headersSent === true && !pending.req.complete
  if (isTruncated) {
    socket.destroy()
    return
  }
  const reject = () => {
    if (socket.writable) {
      const status = STATUS_FOR_CODE[code] ?? 400
      socket.end(rawProblemResponse(status), () => socket.destroy())
    } else socket.destroy()
  }
  if (pending?.req.complete) pending.once('close', reject)
  else reject()
}
