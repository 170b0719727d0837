import { expect, test } from 'vitest'
import { Hono } from 'hono'
import { healthCheck, secretHeader } from 'sidecard'
import { type App, serve, type ServeOptions, toNodeHandler } from 'sidecard/node'
import { captureStderr } from '../../helpers/capture-stderr.ts'
import { eventually } from '../../helpers/eventually.ts'

const app: App = { fetch: () => new Response('ok') }

test.each<[string, unknown, RegExp]>([
  ['a port that is NaN', { port: Number.NaN }, /port must be an integer from 0 to 65535/],
  ['a port above the range', { port: 70_000 }, /port must be/],
  ['a negative port', { port: -1 }, /port must be/],
  ['a port with a fraction', { port: 80.5 }, /port must be/],
  ['a port with letters', { port: 'abc' }, /port must be an integer from 0 to 65535\.$/],
  ['a port with letters at its end', { port: '8787x' }, /port must be/],
  ['a port in another notation', { port: '0x1f' }, /port must be/],
  ['a port with spaces', { port: ' 8787' }, /port must be/],
  ['a port of spaces', { port: ' ' }, /port must be/],
  ['a negative port as a text', { port: '-1' }, /port must be/],
  ['a port above the range as a text', { port: '65536' }, /port must be/],
  ['a port of many digits', { port: '9'.repeat(400) }, /port must be/],
  ['a port that is null', { port: null }, /port must be/],
  ['a port that is a list', { port: [8787] }, /port must be/],
  ['an empty host name', { hostname: ' ' }, /hostname must be a non-empty string/],
  ['a host name that is a number', { hostname: 0 }, /hostname must be/],
  ['an empty path', { path: '' }, /path must be a non-empty string/],
  ['a path with a port', { path: '/tmp/app.sock', port: 0 }, /path must be the only address/],
  ['a path with a host', { path: '/tmp/app.sock', hostname: '::' }, /path must be the only/],
  ['an environment that is a string', { env: 'production' }, /env must be an object/],
  ['an environment that is null', { env: null }, /env must be an object/],
  ['a headers timeout of 0', { headersTimeoutMs: 0 }, /headersTimeoutMs must be an integer from 1/],
  ['an endless timeout', { requestTimeoutMs: Infinity }, /requestTimeoutMs must be/],
  ['a timeout too long for a timer', { drainTimeoutMs: 2 ** 31 }, /drainTimeoutMs must be/],
  ['a negative drain timeout', { drainTimeoutMs: -1 }, /drainTimeoutMs must be an integer from 0/],
  [
    'a request timeout below the headers timeout',
    { headersTimeoutMs: 5_000, requestTimeoutMs: 4_999 },
    /^serve: requestTimeoutMs must be at least headersTimeoutMs/,
  ],
  [
    'a request timeout below the default headers timeout',
    { requestTimeoutMs: 9_999 },
    /requestTimeoutMs must be at least headersTimeoutMs/,
  ],
  [
    'signals that are not a boolean',
    { handleSignals: 'no' },
    /handleSignals must be true or false/,
  ],
  ['an onClose that is not a function', { onClose: {} }, /onClose must be a function/],
  [
    'a misspelled option',
    { hostName: 'x' },
    /there is no option "hostName"\. Did you mean hostname\?/,
  ],
  ['an unknown option', { tls: true }, /there is no option "tls"\. The options are port, hostname/],
  [
    'another way to handle rejections',
    { unhandledRejections: 'ignore' },
    /unhandledRejections must be 'log' or 'exit'/,
  ],
  ['options that are not an object', 8787, /the options argument must be an object/],
])('rejects %s and names the option', async (_name, options, message) => {
  const listeners = process.listenerCount('SIGTERM')
  await expect(serve(app, options as ServeOptions)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringMatching(message),
  })
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
})

test.each([
  ['nothing', undefined, 'the app must be an object with a fetch method, such as a Hono app.'],
  ['an object without fetch', {}, 'the app must be an object with a fetch method'],
  ['a promise of an app', Promise.resolve(app), 'the app is a promise: await it.'],
])('rejects %s as the app', async (_name, value, message) => {
  const error = { code: 'invalid_options', message: expect.stringContaining(message) }
  await expect(serve(value as App)).rejects.toMatchObject(error)
  await expect(serve(value as App)).rejects.toThrow(/^serve: /)
  expect(() => toNodeHandler(value as App)).toThrow(`toNodeHandler: ${message}`)
})

test('toNodeHandler() names an invalid option', () => {
  expect(() => toNodeHandler(app, { evn: {} } as never)).toThrow(
    'toNodeHandler: there is no option "evn". Did you mean env?',
  )
  expect(() => toNodeHandler(app, { env: 'production' } as never)).toThrow(
    'toNodeHandler: env must be an object.',
  )
})

test.each([
  ['absent', {}],
  ['undefined', { port: undefined }],
  ['empty, as with PORT=', { port: '' }],
])('a port that is %s is 8787', async (_name, options) => {
  // On Linux, this address keeps the port free for other tests. A program may use it: then the
  // error names it.
  const hostname = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'
  const result = await serve(app, { ...options, hostname }).then(
    async (server) => {
      await server.close()
      return server.url
    },
    (error: Error) => error.message,
  )
  expect(result).toContain('8787')
})

test('a port is accepted as the text of an environment variable', async () => {
  await using server = await serve(app, { port: '0' })
  const { port } = server
  await expect(serve(app, { port: String(port) })).rejects.toThrow(`Port ${port} is in use.`)
})

test('a long headers timeout increases the default request timeout', async () => {
  await using server = await serve(app, { port: 0, headersTimeoutMs: 60_000 })
  expect(await (await fetch(server.url)).text()).toBe('ok')
})

test.each(['256.0.0.1', '203.0.113.7'])('reports that it cannot listen on %s', async (hostname) => {
  await expect(serve(app, { port: 0, hostname })).rejects.toMatchObject({
    code: 'cannot_listen',
    message: expect.stringMatching(/^Cannot listen on .*\(E[A-Z]+\)\. Choose another hostname/),
  })
})

test('serves IPv6, with a URL that works', async () => {
  await using server = await serve(app, { port: 0, hostname: '::1' })
  expect(server.url).toBe(`http://[::1]:${server.port}`)
  expect(await (await fetch(server.url)).text()).toBe('ok')
})

const SETUP = Symbol.for('sidecard.setup')

test('reports the setup problems of the app at start', async () => {
  const errors = captureStderr()
  const incomplete = Object.assign(new Hono(), {
    [SETUP]: async (env: { REGION: string }) => [
      `No secret is set for header "x" (${env.REGION}).`,
    ],
  })
  await using _server = await serve(incomplete, { port: 0, env: { REGION: 'eu' } })
  await eventually(() => expect(errors()).toBe('sidecard: No secret is set for header "x" (eu).\n'))
})

test('reports the problems of mounted apps, each line once', async () => {
  const errors = captureStderr()
  const hook = async () => ['A binding is missing.']
  const mounted = new Hono()
  mounted.onError((_error, c) => c.text('failed', 500))
  for (const path of ['/', '/:slash']) {
    mounted.get(
      path,
      Object.assign(() => new Response('ok'), { [SETUP]: hook }),
    )
  }
  const parent = new Hono().route('/billing', mounted)
  await using _server = await serve(parent, { port: 0 })
  await eventually(() => expect(errors()).toBe('sidecard: A binding is missing.\n'))
})

test('reports the missing secret of a health check', async () => {
  const errors = captureStderr()
  const health = healthCheck({ sources: {}, auth: secretHeader('x-health', () => undefined) })
  await using _server = await serve(new Hono().route('/health', health), { port: 0 })
  await eventually(() => expect(errors()).toContain('No secret is set for header "x-health"'))
})

test('starts even if the setup cannot be checked, and does not print the reason', async () => {
  const errors = captureStderr()
  const broken = Object.assign(new Hono(), {
    [SETUP]: () => Promise.reject(new Error('canary')),
  }).get('/', (c) => c.text('ok'))
  await using server = await serve(broken, { port: 0 })
  expect(await (await fetch(server.url)).text()).toBe('ok')
  await eventually(() => expect(errors()).toContain('could not be checked'))
  expect(errors()).not.toContain('canary')
})

test('an app without setup problems starts silently', async () => {
  const errors = captureStderr()
  const complete = Object.assign(new Hono(), { [SETUP]: async () => [] })
  await using server = await serve(complete, { port: 0 })
  await fetch(server.url)
  expect(errors()).toBe('')
})
