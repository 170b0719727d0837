import { serve } from '../../src/node/serve.ts'
import { secretHeader, sidecard, text } from '../../src/index.ts'
import { exchange, open } from '../helpers/raw-http.ts'
import { failureList, seededInteger, type Soak } from './soak.ts'

const SECRET = 'canary-secret-7f3a'
const GOOD = `GET /?request_type=verify&code=x HTTP/1.1\r\nHost: x\r\nx-key: ${SECRET}\r\n`
const END = 'Connection: close\r\n\r\n'

/** What a socket may say that is no request, or barely one. */
const SAYINGS: readonly ((next: (limit: number) => number) => string)[] = [
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
const AT_ONCE = 40

/**
 * Whatever bytes on real sockets: the server answers, refuses or hangs up, none
 * of its answers says that it failed, and afterwards it serves as before.
 */
export const hostileSocketsSoak: Soak = async ({ count, seed }) => {
  const next = seededInteger(seed)
  const found = failureList()
  const statuses: Record<string, number> = {}
  const app = sidecard<{ Bindings: { SECRET: string } }>({
    header: { title: 'Soak' },
    auth: secretHeader('x-key', (env) => env.SECRET),
    logger: false,
    fetchData: () => [text({ label: 'a', value: 'b' })],
  })
  const server = await serve(app, { port: 0, env: { SECRET }, handleSignals: false })
  const say = async (): Promise<void> => {
    const bytes = SAYINGS[next(SAYINGS.length)]?.(next) ?? ''
    const socket = await open(server.port)
    const heard = new Promise<string>((resolve) => {
      let text = ''
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => (text += chunk))
      socket.on('close', () => resolve(text)).on('error', () => resolve(text))
    })
    // Half a request, and then nothing more: the other side must not wait for it for ever.
    socket.end(Buffer.from(bytes, 'latin1'))
    const answer = await heard
    const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed'
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status.startsWith('5')) found.add(`status ${status} for ${JSON.stringify(bytes)}`)
    if (answer.includes(SECRET)) found.add(`the secret in an answer to ${JSON.stringify(bytes)}`)
  }
  try {
    for (let done = 0; done < count; done += AT_ONCE) {
      // oxlint-disable-next-line no-await-in-loop -- forty at once, again and again
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, say))
    }
    const after = await exchange(server.port, `${GOOD}${END}`)
    if (!after.includes('{"code":"x"}')) found.add(`afterwards it answers ${after}`)
  } finally {
    await server.close()
  }
  return {
    figures: { sockets: count, ...statuses, failures: found.count },
    failures: found.failures,
  }
}
