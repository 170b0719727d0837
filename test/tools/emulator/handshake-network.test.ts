import { expect, test } from 'vitest'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { findFreePort } from '../../helpers/free-port.ts'
import { listen, listenTcp } from '../../helpers/listen.ts'

/** Connects an app, and returns what the emulator says, with the text of the checker. */
async function explainAt(url: string) {
  const emulator = createEmulator()
  const { lastHandshake } = await emulator.apps.create({ name: 'x', url })
  const result = lastHandshake?.result
  if (result?.ok !== false) throw new Error('the handshake succeeded')
  const { reason, message, fix, explanation } = result
  const sent = `The service sent GET ${url} with request_type=verify, a code, and no custom headers. It received `
  expect(explanation.saw.slice(0, sent.length)).toBe(sent)
  const { results } = await check(url, { samples: 1 })
  const found = results.flatMap(({ findings }) => findings).find((each) => each.fix === fix)
  expect(found, `the checker has another fix than ${fix}`).toBeDefined()
  return [reason, found?.rule, message, explanation.saw.slice(sent.length)]
}

test('a failed handshake over the network is explained with the words of the checker', async () => {
  const closed = `127.0.0.1:${await findFreePort()}`
  expect(await explainAt(`http://${closed}/`)).toEqual([
    'unreachable',
    'reachable',
    'the endpoint is unreachable (ECONNREFUSED)',
    'no complete response.',
  ])
  const garbage = await listenTcp((socket) => socket.resume().end('SSH-2.0-x\r\n'))
  expect(await explainAt(garbage)).toEqual([
    'malformed',
    'response-http',
    'the response is not valid HTTP (HTTPParserError)',
    'no complete response.',
  ])
  const many = Array.from({ length: 62 }, (_, index) => [`x-${index}`, 'x'.repeat(1_000)])
  for (const headers of [{ 'x-large': 'x'.repeat(62_000) }, Object.fromEntries(many)]) {
    // oxlint-disable-next-line no-await-in-loop -- one URL after another
    const large = await listen((_request, response) => response.writeHead(200, headers).end())
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await explainAt(large)).toEqual([
      'malformed',
      'response-http',
      'the response is not valid HTTP (its headers exceed 16 KiB)',
      'no complete response.',
    ])
  }
  const closing = await listenTcp((socket) => socket.once('data', () => socket.destroy()))
  for (const url of [closing, closing.replace('http:', 'https:')]) {
    // oxlint-disable-next-line no-await-in-loop -- one URL after another
    expect(await explainAt(url)).toEqual([
      'reset',
      'response-http',
      expect.stringMatching(
        /^the connection was closed before a response arrived \((UND_ERR_SOCKET|ECONNRESET)\)$/,
      ),
      'no complete response.',
    ])
  }
  const short = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
    response.write('x', () => response.destroy())
  })
  expect(await explainAt(short)).toEqual([
    'cut_off',
    'response-whole',
    'the body was truncated',
    'status 200 with Content-Type text/plain.',
  ])
  const undecodable = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
    response.end('no gzip')
  })
  expect(await explainAt(undecodable)).toEqual([
    'undecodable',
    'response-whole',
    'the body does not match its Content-Encoding (Z_DATA_ERROR)',
    'status 200 with Content-Type text/plain.',
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
    fix: expect.stringContaining('use http:// if the endpoint has no certificate'),
  })
})
