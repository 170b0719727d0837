import { once } from 'node:events'
import { createServer } from 'node:net'

/** Systems hand out ports above this range to who listens on port 0: no other test gets one of it. */
const RANGE = { from: 20_000, to: 32_000 }

/** A port that nobody listens on, for a server that another process starts a moment later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from))
    // oxlint-disable-next-line no-await-in-loop -- the next one only when this one is taken
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
