import { expect, test } from 'vitest'
import { Hono } from 'hono'
import { secretHeader, section } from 'sidecard'
import { createRecordingLogger, createTestApp, FETCH_DATA, VERIFY } from '../../helpers/app.ts'

const ENV = { SIDECARD_DEV: '1' }
const SECRET = { 'x-key': 'secret' }

const createApp = (options = {}) =>
  createTestApp<Record<string, string>>({ auth: secretHeader('x-key', 'secret'), ...options })

async function readId(
  app: { request(url: string, init: RequestInit, env: object): Response | Promise<Response> },
  url = FETCH_DATA,
  { headers = {}, env = ENV }: { headers?: object; env?: object } = {},
): Promise<string | null> {
  const init = { headers: { ...SECRET, 'x-sidecard-dev': '1', ...headers } }
  return (await app.request(url, init, env)).headers.get('x-sidecard-instance')
}

test('all responses of one app have the same ID, and a different app has a different one', async () => {
  const app = createApp()
  const id = await readId(app)
  expect(id).toMatch(/^[0-9a-z]{12}$/)
  expect(await readId(app, VERIFY)).toBe(id)
  expect(await readId(app, '/?request_type=verify')).toBe(id)
  expect(await readId(new Hono().route('/', app))).toBe(id)
  expect(await readId(createApp())).not.toBe(id)
})

test.each([
  ['a failure', { fetchData: () => Promise.reject(new Error('down')) }],
  [
    'a problem response',
    { errors: 'status', fetchData: () => [section('Orders', () => Promise.reject())] },
  ],
  ['a handshake as text', { handshake: 'text' }, VERIFY],
  [
    'a response with middleware',
    { middleware: [async (_: unknown, next: () => Promise<void>) => next()] },
  ],
])('%s has the ID', async (_, options, url = FETCH_DATA) => {
  expect(await readId(createApp(options), url)).toMatch(/^[0-9a-z]{12}$/)
})

test.each([
  ['without the header of a developer', { headers: { 'x-sidecard-dev': '' } }],
  ['outside of development', { env: {} }],
])('a response %s has no ID', async (_, request) => {
  expect(await readId(createApp(), FETCH_DATA, request)).toBeNull()
  expect(await readId(createApp(), VERIFY, request)).toBeNull()
})

test('a response for a developer names the project, even if the secret is wrong', async () => {
  const read = async (key: string, headers: object, env: object) => {
    const init = { headers: { 'x-key': key, ...headers } }
    const response = await createApp().request(VERIFY, init, { ...env, SIDECARD_PROJECT: 'a.1' })
    return response.headers.get('x-sidecard-project')
  }
  const dev = { 'x-sidecard-dev': '1' }
  expect(await read('secret', dev, ENV)).toBe('a.1')
  expect(await read('wrong', dev, ENV)).toBe('a.1')
  expect(await read('secret', {}, ENV)).toBeNull()
  expect(await read('secret', dev, {})).toBeNull()
})

test('the handshakes of a developer are logged at debug, because there are many', async () => {
  const logger = createRecordingLogger()
  const app = createApp({ logger })
  await readId(app, VERIFY)
  await readId(app, VERIFY, { env: {} })
  expect(logger.lines.map(({ level }) => level)).toEqual(['debug', 'info'])
})
