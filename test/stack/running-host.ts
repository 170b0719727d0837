import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { connect } from 'node:http2'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { findFreePort } from '../helpers/free-port.ts'
import { startProcess } from '../helpers/dev-command.ts'
import { waitUntilItAccepts } from '../helpers/wait-until-it-accepts.ts'
import { writeProgram } from './host-project.ts'
import { hostOf, type Program } from './matrix.ts'

const bin = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))

/** A request of a test. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request with exactly these headers, which `fetch()` does not. */
type Send = (url: URL, sent: Sent) => Promise<Response>

const sendHttp: Send = async (url, { method = 'GET', headers = {}, body }) => {
  const sent = requestHttp(url, { method, headers, agent: false }).end(body)
  const [response] = await once(sent, 'response')
  return new Response(await text(response), {
    status: response.statusCode,
    headers: response.headers,
  })
}

const sendHttp2: Send = async (url, { method = 'GET', headers = {}, body }) => {
  const session = connect(url.origin)
  try {
    await once(session, 'connect')
    const stream = session.request({
      ':method': method,
      ':path': url.pathname + url.search,
      ...headers,
    })
    stream.end(body)
    const [{ ':status': status, ...received }] = await once(stream, 'response')
    // The other headers are under a symbol.
    const fields = Object.fromEntries(Object.entries(received))
    return new Response(await text(stream), { status, headers: fields as Record<string, string> })
  } finally {
    session.close()
  }
}

/** A program of the matrix that accepts requests. */
export interface RunningHost {
  readonly url: string
  send(path: string, sent?: Sent): Promise<Response>
  /** Waits for a line of the app. Of a function, it must precede the end of its last call. */
  printed(pattern: RegExp): Promise<unknown>
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts the block of a host, until the end of the test. */
export async function startHost(
  project: string,
  program: Program,
  secret: string,
  onEnd: (stop: () => Promise<void>) => void,
): Promise<RunningHost> {
  const { path, isFunction } = hostOf(program.host)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}${path}`
  const env = { SIDECARD_SECRET: secret, PUBLIC_URL: url, READER: program.reader }
  const folder = join(project, `${program.host} ${program.reader}`.replaceAll(/\W+/g, '-'))
  mkdirSync(folder)
  const [name = '', ...args] = writeProgram(folder, program, port, env)
  const running = startProcess(name, args, {
    cwd: folder,
    env: { ...env, PORT: String(port), PATH: [bin, process.env['PATH']].join(delimiter) },
    onEnd: onEnd as never,
  })
  const sendOne = program.host === 'HTTP/2' ? sendHttp2 : sendHttp
  let responses = 0
  const send = async (rest: string, sent: Sent = {}) => {
    const response = await sendOne(new URL(url + rest), sent)
    responses += 1
    return response
  }
  await waitUntilItAccepts(() => send('?request_type=verify'), running)
  return {
    url,
    send,
    async printed(pattern) {
      if (!isFunction) return running.until(pattern)
      const readCalls = () => running.output().split('MATRIX frozen').slice(0, -1)
      await expect.poll(readCalls, { timeout: 60_000 }).toHaveLength(responses)
      return expect(readCalls().join('')).toMatch(pattern)
    },
    async stop() {
      running.child.kill('SIGTERM')
      return (await running.exit)[0]
    },
  }
}
