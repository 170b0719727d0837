import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import type { WorkspaceEvent } from '../../../src/tools/emulator/protocol/workspace.ts'
import { start } from './control.ts'
import { connect } from './helpers.ts'

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src http: https:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types sidecard",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  vary: 'Accept-Encoding',
}

test.each([
  ['/', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
])('the page %s has its type and strict headers', async (path, type) => {
  const emulator = createEmulator()
  const response = await emulator.fetch(`${emulator.url}${path}`)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toEqual({ ...SECURITY, 'content-type': type })
  expect((await response.text()).length).toBeGreaterThan(50)
})

describe('a browser that accepts gzip', () => {
  const request = async (path: string, headers = {}) => {
    const { emulator, token } = await start()
    const all = { 'accept-encoding': 'gzip', 'x-sidecard-token': token, ...headers }
    return emulator.fetch(`${emulator.url}${path}`, { headers: all })
  }

  test.each(['/', '/docs', '/-/assets/app.js', '/-/assets/app.css', '/-/state'])(
    'receives %s compressed',
    async (path) => {
      const response = await request(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-encoding')).toBe('gzip')
      const bytes = response.body!.pipeThrough(new DecompressionStream('gzip'))
      expect((await new Response(bytes).text()).length).toBeGreaterThan(1_000)
    },
  )

  test('receives events and the API as they are', async () => {
    const events = await request('/-/events', { accept: 'text/event-stream' })
    expect([events.status, events.headers.get('content-encoding')]).toEqual([200, null])
    await events.body?.cancel()
    const users = await request('/users')
    expect([users.status, users.headers.get('content-encoding')]).toEqual([401, null])
  })
})

test.each([
  ['/favicon.ico', 204],
  ['/-/assets/nope.js', 404],
  ['/-/assets/..%2F..%2Findex.js', 404],
  ['/-/assets/index.txt', 404],
])('%s returns %d', async (path, status) => {
  const emulator = createEmulator()
  expect((await emulator.fetch(`${emulator.url}${path}`)).status).toBe(status)
})

describe('the documentation of the API', () => {
  const read = async (path: string) => {
    const emulator = createEmulator()
    return (await emulator.fetch(`${emulator.url}${path}`)).text()
  }

  test('has an example for each operation that works when it is pasted', async () => {
    const page = await read('/docs')
    const examples = [
      ...page.matchAll(
        /<h3>Try it<\/h3>\n<pre class="code_block_code-block" tabindex="0">(.*)<\/pre>/g,
      ),
    ]
    const get = (path: string) =>
      `curl -H &quot;Authorization: Bearer $ACCESS_TOKEN&quot; &#39;http://localhost${path}&#39;`
    const post = (path: string) => get(path).replace('curl', 'curl -X POST')
    expect(new Set(examples.map(([, command]) => command))).toEqual(
      new Set([
        get('/knowledge-bases'),
        get('/tags'),
        get('/teams'),
        get('/ticket-forms'),
        get('/user-roles'),
        get('/users'),
        post('/issues/iss_1042/messages/msg_1042_1/redact'),
        post('/tasks?title=Call%20back'),
      ]),
    )
  })

  test('has the envelope and the parameters of each operation, and links', async () => {
    const page = await read('/docs')
    const envelopes = [
      ...page.matchAll(
        /<h3>Response<\/h3>\n<pre class="code_block_code-block" tabindex="0">(.*)<\/pre>/g,
      ),
    ].map(([, text = '']) => text.replaceAll('&quot;', '"'))
    const list = (resource: string) =>
      `{ "data": [${resource}, …], "pagination": { "cursor", "has_next_page" }, "request_id" }`
    expect(new Set(envelopes)).toEqual(
      new Set([
        '{ "data": message, "request_id" }',
        '{ "data": task, "request_id" }',
        ...['knowledge_base', 'tag', 'team', 'ticket_form', 'user', 'user_role'].map(list),
      ]),
    )
    const rows = [
      ...page.matchAll(/<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td><td>(.*?)<\/td>/g),
    ]
    expect(rows.map(([, name, place, type]) => [name, place, type])).toEqual(
      expect.arrayContaining([
        ['<code>title</code> <em class="muted">required</em>', 'query', 'string'],
        ['<code>status</code>', 'query', 'not_started | in_progress | completed'],
        ['<code>due_date</code>', 'query', 'date-time'],
        ['<code>customer_portal_visible</code>', 'query', 'boolean'],
        ['<code>message_id</code> <em class="muted">required</em>', 'path', 'string'],
      ]),
    )
    expect(page.match(/<p class="hint">No parameters documented\.<\/p>/g)).toHaveLength(6)
    expect(page).toContain('<code>http://localhost</code>')
    expect(page).toContain('Bearer &lt;ACCESS_TOKEN&gt;')
    const anchors = [
      ...page.matchAll(/<a href="#(\w+)"><code class="tone-(good|warn)">(GET|POST)/g),
    ]
    const sections = [
      ...page.matchAll(
        /<section class="stack box layout_detail-part" aria-labelledby="(\w+)">\n<h2 id="(\w+)">/g,
      ),
    ]
    expect(anchors).toHaveLength(8)
    expect(sections.flatMap(([, label, id]) => [label, id])).toEqual(
      anchors.flatMap(([, id]) => [id, id]),
    )
  })

  test('has only classes of the style sheet of the workspace', async () => {
    const [page, style] = await Promise.all([read('/docs'), read('/-/assets/app.css')])
    const classes = [...page.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    for (const name of new Set(classes)) expect(style).toContain(`.${name}`)
  })

  test('exists as an OpenAPI document with the URL of the emulator', async () => {
    const document = JSON.parse(await read('/openapi.json'))
    expect(document.servers).toEqual([{ url: 'http://localhost', description: 'This emulator.' }])
    expect(Object.keys(document.paths)).toHaveLength(8)
  })
})

describe('the state of the workspace', () => {
  test('contains the connection data, the limits and the menus', async () => {
    const { emulator, control, url } = await start()
    const { version } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as { version: string }
    const state: any = await (await control('state')).json()
    const { issues, ...rest } = state
    expect(rest).toEqual({
      version,
      organization: { id: 'org_tidepool', name: 'Tidepool Support' },
      api: { baseUrl: url, accessToken: emulator.accessToken },
      strict: false,
      customers: [],
      states: [],
      canSaveStates: false,
      timeoutMs: 6_000,
      siteUrl: null,
      project: null,
      devServer: null,
      saves: [],
      projectProblem: null,
      apps: [],
    })
    expect(issues).toHaveLength(8)
  })

  test('shows issues with the beginning of their newest message as text', () => {
    const { issues } = createEmulator()
    const preview = (id: string) => issues.get(id).preview
    expect(preview('iss_1036')).toBe('You have won. Claim it here')
    expect(preview('iss_1042')).toBe(
      'I am looking into it and will write again today. Any news? Our card ends in 4242, in case it helps.',
    )
    const customers = [{ name: 'Ada' }]
    const shown = (message: string) =>
      createEmulator({
        dataset: { customers, issues: [{ title: 'x', customer: 'Ada', message }] },
      }).issues.list()[0]?.preview
    expect(shown('a < b & c > d "e"\n\n  f')).toBe('a < b & c > d "e" f')
    expect(shown('x'.repeat(140))).toBe('x'.repeat(140))
    expect(shown('x'.repeat(141))).toBe(`${'x'.repeat(140)}…`)
    expect(shown(`${'x'.repeat(139)}🦊`)).toBe(`${'x'.repeat(139)}\uFFFD…`)
  })
})

test('each change sends the events that the workspace needs', async () => {
  const { emulator, open, app } = await connect()
  const { exchangeId } = await open()
  const events: string[] = []
  const stop = emulator.events.subscribe(({ type }: WorkspaceEvent) => events.push(type))
  const eventsOf = async (action: () => unknown) => {
    events.length = 0
    await action()
    return events.join(' ')
  }
  const redact = () =>
    emulator.fetch(`${emulator.url}/issues/iss_1042/messages/msg_1042_1/redact`, {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    })
  expect(await eventsOf(() => open())).toBe('exchange')
  expect(await eventsOf(() => emulator.apps.connect(app.id))).toBe('state exchange state')
  expect(await eventsOf(() => emulator.apps.disconnect(app.id))).toBe('state')
  expect(await eventsOf(() => emulator.apps.update(app.id, { name: 'x' }))).toBe('state')
  expect(await eventsOf(() => emulator.exchanges.replay(exchangeId ?? ''))).toBe('exchange')
  expect(await eventsOf(() => emulator.exchanges.clear())).toBe('exchanges_cleared')
  expect(await eventsOf(() => emulator.console.append({ stream: 'stdout', text: 'x' }))).toBe(
    'console',
  )
  expect(await eventsOf(() => emulator.console.clear())).toBe('console_cleared')
  expect(await eventsOf(() => emulator.faults.set([]))).toBe('state')
  expect(await eventsOf(() => emulator.project.set({}))).toBe('state')
  expect(await eventsOf(() => emulator.devServer.set(null))).toBe('state')
  expect(await eventsOf(redact)).toBe('issue')
  expect(await eventsOf(() => emulator.apps.remove(app.id))).toBe('state')
  expect(await eventsOf(() => emulator.restore(emulator.snapshot()))).toBe('reset')
  expect(await eventsOf(() => emulator.reset())).toBe(
    'state exchanges_cleared console_cleared reset',
  )
  stop()
  expect(await eventsOf(() => emulator.faults.set([]))).toBe('')
})

test('a listener of events that throws does not affect the others', () => {
  const emulator = createEmulator()
  let count = 0
  emulator.events.subscribe(() => {
    throw new Error('x')
  })
  emulator.events.subscribe(() => (count += 1))
  emulator.faults.set([])
  expect(count).toBe(1)
})

test('calls without an argument say what is missing, and a closed emulator says that it is closed', async () => {
  const emulator = createEmulator()
  const untyped: any = emulator
  await expect(untyped.apps.create()).rejects.toMatchObject({ code: 'invalid_options' })
  await expect(untyped.issues.open()).rejects.toMatchObject({
    code: 'not_found',
    message: 'No issue has this ID.',
  })
  await emulator.close()
  expect(() => emulator.issues.list()).toThrow('The emulator is closed. Create another one.')
})
