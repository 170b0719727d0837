import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'
import { Socket } from 'node:net'
import type { Connection } from '../../src/tools/check/options.ts'

const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })

/** Calls a listener of `node:http` without a port: for tests whose subject is not HTTP. */
export function inject(listener: RequestListener) {
  const fetch = (request: Request) =>
    new Promise<Response>((resolve, reject) => {
      const { pathname, search } = new URL(request.url)
      const incoming = new IncomingMessage(new Socket())
      incoming.method = request.method
      incoming.url = pathname + search
      incoming.headers = Object.fromEntries(request.headers)
      incoming.push(null)
      const chunks: Buffer[] = []
      const response = new ServerResponse(incoming)
      // The body ends with the connection, so that it is not encoded.
      response.shouldKeepAlive = false
      response.useChunkedEncodingByDefault = false
      const wire = new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done()
        },
      })
      response.assignSocket(wire as Socket)
      response.once('finish', () => resolve(parse(Buffer.concat(chunks))))
      wire.once('close', () => reject(new TypeError('fetch failed', { cause: reset() })))
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error))
      listener(incoming, response)
    })
  const openConnection = (): Connection => ({
    send: fetch,
    wasReused: () => true,
    hasExtraBytes: () => false,
    close: () => undefined,
  })
  return { fetch, openConnection }
}

function parse(bytes: Buffer): Response {
  const end = bytes.indexOf('\r\n\r\n')
  const [status = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [, code = '', statusText = ''] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(status) ?? []
  const headers = lines
    .map((line) => /^([^:]+): ?(.*)$/.exec(line)?.slice(1) as [string, string])
    .filter(([name]) => !/^(?:connection|date|transfer-encoding)$/i.test(name))
  const isEmpty = code === '204' || code === '304'
  return new Response(isEmpty ? null : new Uint8Array(bytes.subarray(end + 4)), {
    status: Number(code),
    statusText,
    headers,
  })
}
