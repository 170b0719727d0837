import { once } from 'node:events'
import { createServer } from 'node:net'

/** For port 0, systems assign ports above this range, so there is no conflict with other tests. */
const RANGE = { from: 20_000, to: 32_000 }

/** Finds a free port for a server that another process will start. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = RANGE.from + Math.floor(Math.random() * (RANGE.to - RANGE.from))
    // oxlint-disable-next-line no-await-in-loop -- try the next one only if this one is in use
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
