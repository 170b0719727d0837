import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { listenTcp } from '../../helpers/listen.ts'
import { brokenRules, checkAsCommand, findResult } from './helpers.ts'
import { inProcess } from './in-process.ts'

/** A response as raw bytes, and whether the server closes the connection after it. */
interface Raw {
  readonly head: string
  readonly body: string
  readonly isClosing: boolean
}

type Write = (socket: Socket, response: Raw) => void | Promise<void>
type Case = readonly [how: string, write: Write, closes: boolean]

const whole = ({ head, body }: Raw, extra = '') => {
  const length = `content-length: ${Buffer.byteLength(body)}\r\n${extra}`
  return `HTTP/1.1 200 OK\r\n${head}${length}\r\n${body}`
}
const chunked = ({ head, body }: Raw, extra = '', trailers = '') =>
  `HTTP/1.1 200 OK\r\n${head}transfer-encoding: chunked\r\n${extra}\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n${trailers}\r\n`
const flushed = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => socket.write(text, () => resolve()))
/** Writes the parts one after another, each in a packet. */
const inPackets = async (socket: Socket, parts: readonly string[]) => {
  socket.setNoDelay()
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await flushed(socket, part)
    // oxlint-disable-next-line no-await-in-loop -- the other side reads in between
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** An endpoint that conforms, on raw TCP. The function writes each complete response. */
async function serve(write: Write, close = false): Promise<string> {
  const app = inProcess()
  return listenTcp((socket) => {
    let text = ''
    let last = Promise.resolve()
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const [first = '', ...lines] = text.slice(0, end).split('\r\n')
        text = text.slice(end + 4)
        last = last.then(() => respond(socket, first, lines))
      }
    })
  })

  async function respond(socket: Socket, first: string, lines: readonly string[]) {
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+/, '')]
      }),
    )
    const isClosing = close || headers.get('connection') === 'close'
    const [method = 'GET', path = '/'] = first.split(' ')
    const response = await app.fetch(new Request(`http://x.test${path}`, { method, headers }))
    const head = [...response.headers, ['connection', isClosing ? 'close' : 'keep-alive']]
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
    const body = await response.text()
    const status = `HTTP/1.1 ${response.status} `
    const raw = { head, body, isClosing }
    if (response.status === 200) await write(socket, raw)
    else await flushed(socket, whole(raw).replace('HTTP/1.1 200 ', status))
    if (isClosing) socket.end()
  }
}

const EXTRA: readonly Case[] = [
  [
    'a second response in the same packet',
    (socket, raw) => flushed(socket, whole(raw).repeat(2)),
    false,
  ],
  [
    'a second response in another packet',
    (socket, raw) => inPackets(socket, [whole(raw), whole(raw)]),
    false,
  ],
  [
    'a second response in pieces',
    (socket, raw) =>
      inPackets(socket, [whole(raw), 'HTTP/1.1 200 OK\r\n', 'content-length: 0\r\n\r\n']),
    false,
  ],
  ['a second chunked response', (socket, raw) => flushed(socket, chunked(raw).repeat(2)), false],
  [
    'a second response before it closes the connection',
    (socket, raw) => flushed(socket, whole(raw).repeat(2)),
    true,
  ],
  [
    'more of the body than its Content-Length',
    (socket, raw) => flushed(socket, `${whole(raw)}<!-- served by x -->`),
    false,
  ],
  ['another last chunk', (socket, raw) => inPackets(socket, [chunked(raw), '0\r\n\r\n']), false],
]

it.each(EXTRA)('finds an endpoint that sends %s', async (_how, write, close) => {
  const report = await checkAsCommand(await serve(write, close))
  expect(brokenRules(report)).toEqual(['response-reused-connection'])
  const { findings } = findResult(report, 'response-reused-connection')
  expect(findings[0]?.message).toBe('the endpoint sent more bytes after a complete response')
  expect(report.verdict).toBe('violates')
})

const FINE: readonly Case[] = [
  ['one response', (socket, raw) => flushed(socket, whole(raw)), false],
  ['one response and closes', (socket, raw) => flushed(socket, whole(raw)), true],
  ['a chunked body', (socket, raw) => flushed(socket, chunked(raw)), false],
  [
    'a trailer',
    (socket, raw) => flushed(socket, chunked(raw, 'trailer: x-a\r\n', 'x-a: b\r\n')),
    false,
  ],
  [
    'early hints first',
    (socket, raw) =>
      inPackets(socket, ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', whole(raw)]),
    false,
  ],
  [
    'interim responses in one packet',
    (socket, raw) =>
      flushed(
        socket,
        `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${whole(raw)}`,
      ),
    false,
  ],
  ['a line break after the body', (socket, raw) => flushed(socket, `${whole(raw)}\r\n`), false],
  [
    'a line break after the body, in another packet',
    (socket, raw) => inPackets(socket, [whole(raw), '\r\n']),
    false,
  ],
  [
    'each part in a packet',
    (socket, raw) => {
      const text = chunked(raw)
      return inPackets(socket, [
        text.slice(0, 9),
        text.slice(9, 80),
        text.slice(80, -3),
        text.slice(-3),
      ])
    },
    false,
  ],
  [
    'a body that ends with the connection',
    (socket, { head, body }) => {
      socket.end(`HTTP/1.1 200 OK\r\n${head.replace('keep-alive', 'close')}\r\n${body}`)
    },
    false,
  ],
]

it.each(FINE)('accepts an endpoint that sends %s', async (_how, write, close) => {
  const report = await checkAsCommand(await serve(write, close))
  expect(brokenRules(report)).toEqual([])
  expect(report.verdict).toBe('not_proven')
})
