import { serve } from '../../src/runtime/node/serve.ts'
import { secretHeader, sidecard, text } from '../../src/index.ts'
import { exchange, open } from '../helpers/raw-http.ts'
import { createFailureList, createSeededInteger, type Soak } from './soak.ts'

const SECRET = 'canary-secret-7f3a'
const GOOD = `GET /?request_type=verify&code=x HTTP/1.1\r\nHost: x\r\nx-key: ${SECRET}\r\n`
const END = 'Connection: close\r\n\r\n'

/** Invalid requests, and requests that are only just valid. */
const RAW_REQUESTS: readonly ((next: (limit: number) => number) => string)[] = [
  (next) => Array.from({ length: next(400) }, () => String.fromCharCode(next(256))).join(''),
  () => `${GOOD}${END}`,
  (next) => GOOD.slice(0, next(GOOD.length)),
  (next) => `${GOOD}X-Long: ${'a'.repeat(next(20_000))}\r\n${END}`,
  (next) =>
    `GET /?request_type=verify&code=${'%41'.repeat(next(7_000))} HTTP/1.1\r\nHost: x\r\n${END}`,
  () => `${GOOD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${END}`,
  () => `${GOOD}Content-Length: -1\r\n${END}`,
  () => `${GOOD}Host: y\r\n${END}`,
  () => `GET http://[::1/ HTTP/1.1\r\nHost: x\r\n${END}`,
  () => `GET /\u0000 HTTP/1.1\r\nHost: x\r\n${END}`,
  () => `GET / HTTP/9.9\r\nHost: x\r\n${END}`,
  () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  () => `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n${END}`,
  () => `${GOOD}Upgrade: websocket\r\n${END}`,
  () => `${GOOD}Expect: 100-continue\r\n${END}`,
  () => `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${END}zz\r\n`,
  () => `${GOOD}\r\n${GOOD}\r\n${GOOD}${END}`,
  () => `${GOOD}x-key : ${SECRET}\r\n${END}`,
  () => `get / http/1.1\r\nhost: x\r\n${END}`,
]
const CONCURRENCY = 40

/**
 * Random bytes on real sockets. The server responds, rejects or closes the
 * connection. No response is a server error, and afterwards it serves as before.
 */
export const hostileSocketsSoak: Soak = async ({ count, seed }) => {
  const next = createSeededInteger(seed)
  const found = createFailureList()
  const statuses: Record<string, number> = {}
  const app = sidecard<{ Bindings: { SECRET: string } }>({
    header: { title: 'Soak' },
    auth: secretHeader('x-key', (env) => env.SECRET),
    logger: false,
    fetchData: () => [text({ label: 'a', value: 'b' })],
  })
  const server = await serve(app, { port: 0, env: { SECRET }, handleSignals: false })
  const send = async (): Promise<void> => {
    const bytes = RAW_REQUESTS[next(RAW_REQUESTS.length)]?.(next) ?? ''
    const socket = await open(server.port)
    const received = new Promise<string>((resolve) => {
      let all = ''
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => (all += chunk))
      socket.on('close', () => resolve(all)).on('error', () => resolve(all))
    })
    // The request ends early. The server must not wait for the rest forever.
    socket.end(Buffer.from(bytes, 'latin1'))
    const response = await received
    const status = /^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 'closed'
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status.startsWith('5')) found.add(`status ${status} for ${JSON.stringify(bytes)}`)
    if (response.includes(SECRET)) found.add(`the secret in a response to ${JSON.stringify(bytes)}`)
  }
  try {
    for (let done = 0; done < count; done += CONCURRENCY) {
      // oxlint-disable-next-line no-await-in-loop -- batches of 40
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, count - done) }, send))
    }
    const after = await exchange(server.port, `${GOOD}${END}`)
    if (!after.includes('{"code":"x"}')) found.add(`afterwards it responds ${after}`)
  } finally {
    await server.close()
  }
  return {
    figures: { sockets: count, ...statuses, failures: found.count },
    failures: found.failures,
  }
}
