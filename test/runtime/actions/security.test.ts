import { text, link as linkComponent, button } from 'sidecard'
import { ActionError, memoryReceipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { XSS } from '../../browser/helpers/hostile-strings.ts'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  PUBLIC_URL,
  readLinks,
  SECRET,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'

async function open(app = createActionApp()) {
  const [link] = await readLinks(app)
  return { app, link: link!, page: await openPage(app, link!) }
}

test.each([
  ['another app', { name: 'Other' }, {}],
  ['another public URL', {}, { publicUrl: 'https://other.example.com/sidebar' }],
  ['another secret', {}, { secret: `${SECRET}!` }],
])('a link of %s is not valid', async (_name, appOptions, options) => {
  const foreign = createActionApp(createExtendTrial(), options, appOptions)
  const [link] = await readLinks(foreign)
  const app = createActionApp()
  expect(await openPage(app, link!)).toMatchObject({ status: 400, outcome: 'invalid' })
  const { page } = await open()
  expect(
    await confirmPage(app, { ...page, t: new URL(link!).searchParams.get('t')! }),
  ).toMatchObject({ outcome: 'invalid' })
  expect(app.journal.runs).toEqual([])
})

test('a link of an action that the app no longer has says so', async () => {
  const receipts = memoryReceipts()
  const [link] = await readLinks(createActionApp(createExtendTrial(), { receipts }))
  const app = createActionApp(createExtendTrial({ name: 'other' }), { receipts })
  const page = await openPage(app, link!)
  expect(page).toMatchObject({ status: 410, outcome: 'expired' })
  expect(page.html).toContain('This action no longer exists.')
})

test('a link that is changed at any place, cut or repeated is not valid', async () => {
  const { app, link } = await open()
  const token = new URL(link).searchParams.get('t')!
  const changed = Array.from({ length: token.length }, (_, index) => {
    const other = token[index] === 'A' ? 'B' : 'A'
    return token.slice(0, index) + other + token.slice(index + 1)
  }).filter((_, index) => index % 7 === 0)
  const cut = [
    token.slice(0, -1),
    token.slice(0, 40),
    token.slice(1),
    `${token}A`,
    `${token}.`,
    'x',
  ]
  for (const one of [...changed, ...cut]) {
    const response = await send(app, `/actions?t=${encodeURIComponent(one)}`)
    expect([one, response.status]).toEqual([one, 400])
  }
  for (const query of [`t=${token}&t=${token}`, `t=x&t=${token}`, `t=${token}&t=`, 't=', '']) {
    expect((await send(app, `/actions?${query}`)).status).toBe(400)
  }
})

test.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s runs nothing', async (method) => {
  let shown = 0
  const extendTrial = createExtendTrial({ show: () => ((shown += 1), []) })
  const app = createActionApp(extendTrial)
  const [link] = await readLinks(app)
  const response = await send(app, localPath(link!), { method })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, POST')
  expect([shown, app.journal.runs]).toEqual([0, []])
})

test('GET runs nothing, however often and with whatever fields', async () => {
  const { app, link, page } = await open()
  const query = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
  expect((await send(app, `/actions?${query}`)).status).toBe(200)
  await Promise.all(Array.from({ length: 5 }, () => openPage(app, link)))
  expect(app.journal.runs).toEqual([])
})

const ORIGIN = new URL(PUBLIC_URL).origin

test.each([
  ['from another site', { 'sec-fetch-site': 'cross-site', origin: ORIGIN }],
  ['from a sibling', { 'sec-fetch-site': 'same-site', origin: ORIGIN }],
  ['from the address bar', { 'sec-fetch-site': 'none' }],
  ['with another origin', { origin: 'https://evil.example' }],
  ['with the origin null', { origin: 'null' }],
  ['with the origin of the host', { origin: 'http://localhost', host: 'localhost' }],
  ['with a longer origin', { origin: `${ORIGIN}.evil.example` }],
  ['without an origin', {}],
] as [string, Record<string, string>][])('a form %s runs nothing', async (_name, headers) => {
  const { app, page } = await open()
  const result = await confirmPage(app, page, undefined, headers)
  expect(result).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(app.journal.runs).toEqual([])
})

test('a form with the origin of the public URL is accepted over plain http', async () => {
  const { app, page } = await open()
  expect(await confirmPage(app, page, undefined, { origin: ORIGIN })).toMatchObject({
    outcome: 'done',
  })
})

test.each([
  ['no token', ''],
  ['a token of another form', 'x'.repeat(43)],
])('a form with %s runs nothing', async (_name, form) => {
  const { app, page } = await open()
  const result = await confirmPage(app, { ...page, form })
  expect(result).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(app.journal.runs).toEqual([])
})

test('a form of another agent, or of another link, runs nothing', async () => {
  let agent = AGENT
  const app = createActionApp(createExtendTrial(), { signIn: () => agent })
  const [one, two] = [...(await readLinks(app)), ...(await readLinks(app))]
  const page = await openPage(app, one!)
  const other = await openPage(app, two!)
  expect(await confirmPage(app, { ...page, form: other.form! })).toMatchObject({
    outcome: 'forbidden',
  })
  agent = { id: 'agent-8', email: 'sam@acme.example', groups: [] }
  expect(await confirmPage(app, page)).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(app.journal.runs).toEqual([])
})

test.each([
  ['JSON', 'application/json', '{"t":"x"}'],
  ['multipart', 'multipart/form-data; boundary=x', '--x--'],
  ['plain text', 'text/plain', 't=x'],
  ['too large', 'application/x-www-form-urlencoded', `t=${'x'.repeat(300_000)}`],
  ['a repeated field', 'application/x-www-form-urlencoded', 't=x&t=y'],
])('a body that is %s is not valid', async (_name, type, body) => {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' }
  const response = await send(createActionApp(), '/actions', { method: 'POST', headers, body })
  expect(response.status).toBe(400)
})

test('a form whose body never ends is answered at the deadline, and runs nothing', async () => {
  const app = createActionApp(createExtendTrial(), {}, { timeoutMs: 100 })
  const { page } = await open(app)
  const start = new TextEncoder().encode(
    `t=${page.t}&form=${page.form}&field-days=7&field-reason=x`,
  )
  const body = new ReadableStream({ start: (controller) => controller.enqueue(start) })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { ...type, 'sec-fetch-site': 'same-origin' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  expect((await send(app, '/actions', init)).status).toBe(400)
  expect(app.journal.runs).toEqual([])
})

test('a host header that lies changes neither links nor the check of the origin', async () => {
  const app = createActionApp()
  const url = 'https://evil.example/?request_type=fetch_data&account_id=a'
  const { components } = await (await send(app, url)).json()
  expect(components[0].url).toContain(`${PUBLIC_URL}/actions?t=`)
  const page = await openPage(app, components[0].url)
  const fields = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
  const response = await send(app, 'https://evil.example/actions', {
    method: 'POST',
    headers: {
      origin: 'https://evil.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: String(fields),
  })
  expect(response.status).toBe(403)
  expect(app.journal.runs).toEqual([])
})

test('without publicUrl, only a request on loopback has links', async () => {
  const app = createActionApp(createExtendTrial(), { publicUrl: undefined as never })
  const readUrl = async (origin: string) => {
    const response = await app.request(`${origin}/?request_type=fetch_data`)
    return (await response.json()).components[0].url as string
  }
  expect(await readUrl('http://127.0.0.1:8787')).toContain('http://127.0.0.1:8787/actions?t=')
  expect(await readUrl('https://billing.example')).toBe(
    'https://billing.example/actions?unavailable',
  )
})

test('the endpoint’s own parameters are not copied into links', async () => {
  const [link] = await readLinks(createActionApp(), '/?request_type=fetch_data&key=s3cret')
  expect(link).toContain(`${PUBLIC_URL}/actions?t=`)
  expect(link).not.toMatch(/key|s3cret/)
})

test('the page cannot be framed, cached, scripted or left with its URL', async () => {
  const { page } = await open()
  const headers = Object.fromEntries(page.response.headers)
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-type': 'text/html; charset=utf-8',
  })
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  expect(page.html).not.toMatch(/<script|<meta name="referrer"| on\w+=| style=/i)
})

test('hostile text of customers, agents, form and errors is only text', async () => {
  for (const hostile of XSS.filter((_, index) => index % 9 === 0)) {
    const extendTrial = createExtendTrial({
      show: () => [
        text({ label: hostile, value: hostile }),
        button({ label: hostile, url: 'https://a.example/' }),
      ],
      run: () => {
        throw new ActionError(hostile)
      },
    })
    const agent = () => ({ id: 'x', email: hostile.slice(0, 300) || 'x' })
    const { app, page } = await open(createActionApp(extendTrial, { signIn: agent }))
    const notDone = await confirmPage(app, page, { days: '1', reason: hostile })
    for (const { html } of [page, notDone]) {
      expect(html).not.toMatch(/<(?:img|svg|iframe|script|object|video|audio|details|body)\s/i)
      expect(
        html.match(
          /<(?!\/?(?:html|head|meta|title|style|body|main|p|h1|form|input|div|label|span|textarea|button|section|a|code|!doctype)\b)/gi,
        ) ?? [],
      ).toEqual([])
      expect(html).not.toMatch(/href="(?!https:\/\/a\.example\/")/)
    }
  }
})

test('what show and run return is validated like a payload', async () => {
  const script = { type: 'link', label: 'x', url: 'javascript:alert(1)' } as never
  const shown = createExtendTrial({ show: () => [script, linkComponent] })
  const page = await open(createActionApp(shown))
  expect(page.page).toMatchObject({ status: 500, outcome: 'failed' })
  expect(page.page.html).not.toContain('javascript:')
  const logger = createRecordingLogger()
  const ran = await open(createActionApp(createExtendTrial({ run: () => script }), {}, { logger }))
  // It is done, so the page says so.
  expect(await confirmPage(ran.app, ran.page)).toMatchObject({ status: 200, outcome: 'done' })
  expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { outcome: 'done' } })
})

test('no token, input, ID or form value is in a log line or on another page', async () => {
  const logger = createRecordingLogger()
  const extendTrial = createExtendTrial({
    canSetOutcome: () => false,
    run: () => {
      throw new Error('database')
    },
  })
  const { app, link, page } = await open(createActionApp(extendTrial, {}, { logger }))
  await confirmPage(app, page, { days: '99', reason: 'r3ason' })
  const failed = await confirmPage(app, page, { days: '7', reason: 'r3ason' })
  const bad = await confirmPage(app, { ...page, t: `${page.t}x` })
  const token = new URL(link).searchParams.get('t')!
  const log = JSON.stringify(logger.lines)
  const secrets = [token, page.form!, SECRET, 'r3ason', 'account-1', 'jane', AGENT.email!, AGENT.id]
  for (const value of secrets) expect(log).not.toContain(value)
  for (const value of [token, 'r3ason', 'account-1', 'database']) {
    expect(`${failed.html}${bad.html}`).not.toContain(value)
  }
})

test('line breaks and header injection of an agent or a parameter stay text', async () => {
  const agent = () => ({ id: 'x\r\nset-cookie: a=b', email: 'a\nb@c\r\nX: y' })
  const logger = createRecordingLogger()
  const { page } = await open(createActionApp(createExtendTrial(), { signIn: agent }, { logger }))
  expect(page.status).toBe(200)
  expect(page.response.headers.get('set-cookie')).toBeNull()
  const response = await send(createActionApp(), '/actions?t=%0d%0aset-cookie:%20a=b')
  expect(response.headers.get('set-cookie')).toBeNull()
})

test.each([
  ['throws', () => Promise.reject(new Error('no sign-in'))],
  ['returns nothing', () => undefined],
  ['returns an empty agent', () => ({ id: ' ', email: '' })],
  ['returns true', () => true],
  ['returns something else', () => ({ name: 'Robin' })],
])('an agent that %s is denied', async (_name, agent) => {
  const logger = createRecordingLogger()
  const { app, link, page } = await open(
    createActionApp(createExtendTrial(), { signIn: agent as never }, { logger }),
  )
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(page.html).not.toContain('account-1')
  expect(logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { outcome: 'forbidden' } })
  const other = await open()
  const post = { ...other.page, t: new URL(link).searchParams.get('t')! }
  expect(await confirmPage(app, post)).toMatchObject({ status: 403 })
  expect(app.journal.runs).toEqual([])
})

test('an agent that hangs is denied', async () => {
  const agent = () => new Promise<never>(() => undefined)
  const app = createActionApp(createExtendTrial(), { signIn: agent }, { timeoutMs: 50 })
  const { page } = await open(app)
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
})

test('a response of agent is sent as it was returned', async () => {
  const agent = () => new Response(null, { status: 302, headers: { location: '/sign-in' } })
  const { page } = await open(createActionApp(createExtendTrial(), { signIn: agent }))
  expect(page.status).toBe(302)
  expect(page.response.headers.get('location')).toBe('/sign-in')
})

test.each([
  ['false', () => false],
  ['a truthy value', () => 1],
  ['a rejection', () => Promise.reject(new Error('directory'))],
])('allow that returns %s forbids the page and the confirmation', async (_name, allow) => {
  let allowed: unknown = true
  const extendTrial = createExtendTrial({ authorize: () => allowed })
  const { app, link, page } = await open(createActionApp(extendTrial))
  allowed = undefined
  const denied = createExtendTrial({ authorize: allow })
  const other = await open(createActionApp(denied))
  expect(other.page).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(other.page.html).toContain('robin@acme.example')
  expect(await openPage(app, link)).toMatchObject({ status: 403 })
  expect(await confirmPage(app, page)).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(app.journal.runs).toEqual([])
})

test('development variables provide an agent on loopback only', async () => {
  const agent = () => Promise.reject(new Error('no sign-in'))
  // On Workers, memoryReceipts() itself runs only in tests.
  const receipts = { ...memoryReceipts() }
  const app = createActionApp(createExtendTrial(), { signIn: agent, receipts, secret: undefined })
  const status = async (origin: string, env: object) => {
    const path = '/?request_type=fetch_data&account_id=a'
    const local: any = await (await app.request(origin + path, {}, env)).json()
    const { search } = new URL(local.components[0].url)
    return (await app.request(`${origin}/actions${search}`, {}, env)).status
  }
  expect(await status('http://localhost:8787', { SIDECARD_DEV: '1' })).toBe(200)
  expect(await status('http://localhost:8787', {})).toBe(503)
  expect(await status('https://billing.example', { SIDECARD_DEV: '1' })).toBe(503)
})
