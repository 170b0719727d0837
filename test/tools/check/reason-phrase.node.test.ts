import { expect, it } from 'vitest'
import { findPlace } from '../../../src/tools/check/responses/leaks.ts'
import { createTransport } from '../../../src/tools/cli/transport/transport.ts'
import { createEndpointClient } from '../../../src/tools/service/endpoint-client.ts'
import { listenTcp } from '../../helpers/listen.ts'

/** The bytes of a text in UTF-8, one character each. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

it.each<[string, string]>([
  ['401 Not for Jane Doe', 'Not for Jane Doe'],
  [`401 Not for ${utf8('Jörg Жук')}`, 'Not for Jörg Жук'],
  ['401 Not for J\xF6rg', 'Not for Jörg'],
  ['401 a\x01b\x7F\tc', 'a b \tc'],
  ['204 Jane Doe', 'Jane Doe'],
  ['999 Jane\x02Doe', 'Jane Doe'],
  ['401 ', ''],
  ['401', ''],
])('the command reads the reason phrase of the status line %j', async (line, phrase) => {
  const url = await listenTcp((socket) =>
    socket.once('data', () => {
      const name = `X-Name: ${utf8('Jörg Жук')}`
      socket.end(`HTTP/1.1 ${line}\r\n${name}\r\nContent-Length: 0\r\n\r\n`, 'latin1')
    }),
  )
  const client = createEndpointClient({ target: url, fetch: createTransport().fetch })
  const { response, failure } = await client.send([['request_type', 'verify']])
  expect(failure).toBeUndefined()
  expect(response?.statusText).toBe(phrase)
  expect(response?.headers['x-name']).toBe('Jörg Жук')
})

it('the command reads the trailers after a chunked body, and searches them', async () => {
  const url = await listenTcp((socket) =>
    socket.on('data', () => {
      const head = 'HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\nTrailer: X-Name\r\n\r\n'
      socket.end(`${head}2\r\nno\r\n0\r\nX-Name: Jane Doe\r\n\r\n`)
    }),
  )
  const client = createEndpointClient({ target: url, fetch: createTransport().fetch })
  const exchange = await client.send([['request_type', 'verify']])
  expect(exchange.response?.trailers).toEqual({ 'x-name': 'Jane Doe' })
  expect(findPlace(exchange, (text) => text.includes('Jane'))).toBe('trailer x-name')
})
