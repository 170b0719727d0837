import { expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { findFreePort } from '../helpers/free-port.ts'
import { listen, listenTcp } from '../helpers/listen.ts'

const LOGS = 'Look at the output of the endpoint for an error at the time of the request.'

test('a failed handshake over the network is explained with what to change', async () => {
  const emulator = createEmulator()
  const explainAt = async (url: string) => {
    const { lastHandshake } = await emulator.apps.create({ name: 'x', url })
    const result = lastHandshake?.result
    if (result?.ok !== false) throw new Error('the handshake succeeded')
    const { title, saw, changes } = result.explanation
    const sent = `The service sent GET ${url} with request_type=verify, a code, and no custom headers. It received `
    expect(saw.slice(0, sent.length)).toBe(sent)
    return [result.reason, title, saw.slice(sent.length), changes]
  }
  const closed = `127.0.0.1:${await findFreePort()}`
  expect(await explainAt(`http://${closed}/`)).toEqual([
    'unreachable',
    'No response: nothing listens at this URL',
    'no complete response. The endpoint is unreachable (ECONNREFUSED).',
    [
      'Start the endpoint.',
      `Compare the host and the port it prints with ${closed}.`,
      'Let it listen on 127.0.0.1 or on all interfaces.',
    ],
  ])
  const garbage = await listenTcp((socket) => socket.resume().end('SSH-2.0-x\r\n'))
  expect(await explainAt(garbage)).toEqual([
    'malformed',
    'The response is not HTTP',
    'no complete response. The response is not valid HTTP (HTTPParserError).',
    ['Check the port: another program may listen there.', LOGS],
  ])
  const closing = await listenTcp((socket) => socket.once('data', () => socket.destroy()))
  for (const url of [closing, closing.replace('http:', 'https:')]) {
    // oxlint-disable-next-line no-await-in-loop -- one URL after another
    expect(await explainAt(url)).toEqual([
      'reset',
      'The connection was closed without a response',
      expect.stringMatching(
        /^no complete response\. The connection was closed before a response arrived \((UND_ERR_SOCKET|ECONNRESET)\)\.$/,
      ),
      [
        LOGS,
        'Check that the URL has the right scheme: http:// and https:// need different servers.',
      ],
    ])
  }
  const short = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
    response.write('x', () => response.destroy())
  })
  expect(await explainAt(short)).toEqual([
    'cut_off',
    'The response is incomplete',
    `status 200 with Content-Type text/plain. The body was truncated.`,
    ['Let the server compute Content-Length in bytes.', LOGS],
  ])
  const undecodable = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    response.end('no gzip')
  })
  expect(await explainAt(undecodable)).toEqual([
    'undecodable',
    'The response cannot be decompressed',
    `status 200 with Content-Type text/plain. The body does not match its Content-Encoding (Z_DATA_ERROR).`,
    ['Remove the Content-Encoding header, or set the encoding that is actually used.'],
  ])
})

test('a handshake that fails because of an invalid certificate is explained', async () => {
  const cause = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  const emulator = createEmulator({
    fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
  })
  const { lastHandshake } = await emulator.apps.create({ name: 'x', url: 'https://localhost/' })
  expect(lastHandshake?.result).toMatchObject({
    reason: 'tls',
    explanation: {
      title: 'No secure connection',
      changes: [
        'Use http:// if the endpoint on your machine has no certificate.',
        'Renew the certificate, send the full chain, and check that it covers the host name.',
      ],
    },
  })
})
