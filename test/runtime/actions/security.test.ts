import { Hono } from 'hono'
import { button, link as linkComponent, text } from 'sidecard'
import { ActionError, memoryReceipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import { XSS } from '../../browser/helpers/hostile-strings.ts'
import { AGENT, localPath, PUBLIC_URL, readPage, SECRET, send } from '../../helpers/actions.ts'
import { createDesk, SAM } from '../../helpers/desk.ts'

const tokenOf = (link: string) => new URL(link).searchParams.get('t')!
const SAME_SITE = { 'sec-fetch-site': 'same-origin' }
const FORM = 'application/x-www-form-urlencoded'
const hang = () => new Promise<never>(() => undefined)

test.each([
  ['a different app', { name: 'Other' }, {}],
  ['a different public URL', {}, { publicUrl: 'https://other.example.com/sidebar' }],
  ['a different secret', {}, { secret: `${SECRET}!` }],
])('a link of %s is not valid', async (_name, appOptions, options) => {
  const foreign = await createDesk({}, options, appOptions).newLink()
  const desk = createDesk()
  expect(await desk.show(foreign)).toMatchObject({ status: 400, outcome: 'invalid' })
  const page = { ...(await desk.open()), t: tokenOf(foreign) }
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'invalid' })
  expect(desk.runs).toEqual([])
})

test('a link of an action that the app no longer has says so', async () => {
  const receipts = memoryReceipts()
  const link = await createDesk({}, { receipts }).newLink()
  const page = await createDesk({ name: 'other' }, { receipts }).show(link)
  expect(page).toMatchObject({ status: 410, outcome: 'expired' })
  expect(page.html).toContain('This action no longer exists.')
})

test('a link that is changed at any place, cut or repeated is not valid', async () => {
  const { app, newLink } = createDesk()
  const token = tokenOf(await newLink())
  const changed = Array.from(token, (one, index) => {
    return token.slice(0, index) + (one === 'A' ? 'B' : 'A') + token.slice(index + 1)
  }).filter((_, index) => index % 7 === 0)
  const cut = [token.slice(0, -1), token.slice(0, 40), token.slice(1), `${token}A`, `${token}.`]
  const repeated = [`${token}&t=${token}`, `x&t=${token}`, `${token}&t=`, '', 'x', '%0d%0aa:%20b']
  for (const one of [...changed, ...cut, ...repeated]) {
    const response = await send(app, `/actions?t=${one}`)
    expect([one, response.status]).toEqual([one, 400])
  }
})

test.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s runs nothing', async (method) => {
  const desk = createDesk({ show: () => expect.unreachable() })
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const response = await send(desk.app, localPath(await desk.newLink()), { method, headers })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, POST')
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(desk.runs).toEqual([])
})

test('GET runs nothing, however often and with whatever fields', async () => {
  const desk = createDesk()
  const link = await desk.newLink()
  const page = await desk.show(link)
  const query = new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' })
  expect((await send(desk.app, `/actions?${query}`)).status).toBe(200)
  await Promise.all(Array.from({ length: 5 }, () => desk.show(link)))
  expect(desk.runs).toEqual([])
})

const { origin } = new URL(PUBLIC_URL)

test.each([
  ['from a different site', { 'sec-fetch-site': 'cross-site', origin }],
  ['from a sibling', { 'sec-fetch-site': 'same-site', origin }],
  ['from the address bar', { 'sec-fetch-site': 'none' }],
  ['with a different origin', { origin: 'https://evil.example' }],
  ['with the origin null', { origin: 'null' }],
  ['with the origin of the host', { origin: 'http://localhost', host: 'localhost' }],
  ['with a longer origin', { origin: `${origin}.evil.example` }],
  ['without an origin', {}],
] as [string, Record<string, string>][])('a form %s runs nothing', async (_name, headers) => {
  const desk = createDesk()
  const result = await desk.confirm(await desk.open(), undefined, headers)
  expect(result).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(desk.runs).toEqual([])
})

test('a form with the origin of the public URL is accepted over plain http', async () => {
  const desk = createDesk()
  const done = await desk.confirm(await desk.open(), undefined, { origin })
  expect(done).toMatchObject({ outcome: 'done' })
})

test('a form with the token of a different link or agent, or without one, runs nothing', async () => {
  const desk = createDesk()
  const [page, other] = [await desk.open(), await desk.open()]
  const forbidden = { status: 403, outcome: 'forbidden' }
  for (const form of [other.form, '', 'x'.repeat(43)]) {
    expect(await desk.confirm({ ...page, form })).toMatchObject(forbidden)
  }
  desk.agent = SAM
  expect(await desk.confirm(page)).toMatchObject(forbidden)
  expect(desk.runs).toEqual([])
})

/** Opens a page, whose form can then be sent with any type and body. */
async function openForm() {
  const desk = createDesk()
  const page = await desk.open()
  const fields = String(new URLSearchParams({ t: page.t!, form: page.form!, 'field-days': '7' }))
  const post = async (body: BodyInit, type = FORM, app = desk.app, path = '/actions') => {
    const headers = { ...SAME_SITE, ...(type !== '' && { 'content-type': type }) }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    return readPage(await send(app, path, init))
  }
  return { desk, page, fields, post }
}

test.each([
  ['text/plain', '', 400],
  [`${FORM}x`, '', 400],
  [`text/${FORM}`, '', 400],
  [`text/plain; ${FORM}`, '', 400],
  ['multipart/form-data; boundary=x', '', 400],
  [FORM, '&field-days=7', 400],
  [FORM, '&t=y', 400],
  [FORM, '', 200],
  [`${FORM} ; charset=utf-8`, '', 200],
  [FORM.toUpperCase(), '', 200],
])('a form of the type %j that ends in %j has the status %i', async (type, end, status) => {
  const { desk, fields, post } = await openForm()
  expect(await post(fields + end, type)).toMatchObject({ status })
  expect(desk.runs).toHaveLength(status === 200 ? 1 : 0)
})

test('a body that is no form does not open the link in its URL', async () => {
  const { desk, page, post } = await openForm()
  const other = await post('{}', 'application/json', desk.app, `/actions?t=${page.t}`)
  expect(other).toMatchObject({ status: 400, outcome: 'invalid', t: undefined })
})

test('a form of 256 KiB is read, and a longer one is not', async () => {
  const { fields, post } = await openForm()
  const padding = (bytes: number) => `&x=${'x'.repeat(bytes - fields.length - 3)}`
  expect(await post(fields + padding(262_145))).toMatchObject({ status: 400 })
  expect(await post(fields + padding(262_144))).toMatchObject({ outcome: 'done' })
})

test('a character may arrive in two parts', async () => {
  const { desk, fields, post } = await openForm()
  const { readable, writable } = new TransformStream()
  const writer = writable.getWriter()
  const start = new TextEncoder().encode(`${fields}&field-reason=`)
  const parts = [start, Uint8Array.of(0xc3), Uint8Array.of(0xa9)].map((part) => writer.write(part))
  void Promise.all(parts).then(() => writer.close())
  expect(await post(readable)).toMatchObject({ outcome: 'done' })
  expect(desk.runs).toMatchObject([{ values: { reason: 'é' } }])
})

test('a form whose body never ends gets a response at the timeout, and runs nothing', async () => {
  const { fields, post } = await openForm()
  const hurried = createDesk({}, {}, { timeoutMs: 100 })
  const start = new TextEncoder().encode(fields)
  const body = new ReadableStream({ start: (controller) => controller.enqueue(start) })
  expect(await post(body, FORM, hurried.app)).toMatchObject({ status: 400 })
  expect(hurried.runs).toEqual([])
})

test('the page says that the form could not be read, and the log says why', async () => {
  const desk = createDesk()
  const parent = new Hono().use(async (c, next) => (await c.req.raw.arrayBuffer(), next()))
  const headers = { ...SAME_SITE, 'content-type': FORM }
  const init = { method: 'POST', headers, body: 't=x' }
  const page = await readPage(await parent.route('/', desk.app).request('/actions', init))
  expect(page).toMatchObject({ status: 400, heading: 'The form could not be read' })
  expect(desk.log()).toContain('Other code has read the form')
})

test('a host header that lies changes neither links nor the check of the origin', async () => {
  const desk = createDesk()
  const evil = 'https://evil.example'
  const link = await desk.newLink(`${evil}/?request_type=fetch_data&account_id=a&key=s3cret`)
  expect(link).toContain(`${PUBLIC_URL}/actions?t=`)
  expect(link).not.toMatch(/key|s3cret/)
  const { t, form } = await desk.show(link)
  const body = String(new URLSearchParams({ t: t!, form: form!, 'field-days': '7' }))
  const headers = { origin: evil, 'content-type': FORM }
  const response = await send(desk.app, `${evil}/actions`, { method: 'POST', headers, body })
  expect(response.status).toBe(403)
  expect(desk.runs).toEqual([])
})

test('hostile text of customers, agents, form and errors is only text', async () => {
  const TAGS = 'html|head|meta|title|style|body|main|p|h1|form|input|div|label|span|textarea|button'
  const unknownTag = new RegExp(`<(?!\\/?(?:${TAGS}|section|a|code|!doctype)\\b)`, 'gi')
  for (const hostile of XSS.filter((_, index) => index % 9 === 0)) {
    const one = text({ label: hostile, value: hostile })
    const show = () => [one, button({ label: hostile, url: 'https://a.example/' })]
    const run = () => Promise.reject(new ActionError(hostile))
    const signIn = () => ({ id: 'x', email: hostile.slice(0, 300) || 'x' })
    const desk = createDesk({ show, run }, { signIn })
    const page = await desk.open()
    for (const { html } of [page, await desk.confirm(page, { days: '1', reason: hostile })]) {
      expect(html).not.toMatch(/<(?:img|svg|iframe|script|object|video|audio|details|body)\s/i)
      expect(html.match(unknownTag) ?? []).toEqual([])
      expect(html).not.toMatch(/href="(?!https:\/\/a\.example\/")/)
    }
  }
})

test('what show and run return is validated like a payload', async () => {
  const script = { type: 'link', label: 'x', url: 'javascript:alert(1)' } as never
  const shown = await createDesk({ show: () => [script, linkComponent] }).open()
  expect(shown).toMatchObject({ status: 500, outcome: 'failed' })
  expect(shown.html).not.toContain('javascript:')
  const desk = createDesk({ run: () => [text({ label: 'a', value: 'b' }), script] })
  const done = await desk.confirm(await desk.open())
  // It is done, so the page says so.
  expect(done).toMatchObject({ status: 200, outcome: 'done', heading: 'Done' })
  expect(done.html).not.toMatch(/javascript:|sidecard-widget"/)
  expect(desk.logger.lines.at(-1)).toMatchObject({ level: 'error', fields: { outcome: 'done' } })
})

test('no token, input, ID or form value is in a log line or on the page of an error', async () => {
  const run = () => Promise.reject(new Error('database'))
  const desk = createDesk({ canSetOutcome: () => false, run })
  const page = await desk.open()
  await desk.confirm(page, { days: '99', reason: 'r3ason' })
  const failed = await desk.confirm(page, { days: '7', reason: 'r3ason' })
  const bad = await desk.confirm({ ...page, t: `${page.t}x` })
  const secrets = [
    page.t!,
    page.form!,
    SECRET,
    'r3ason',
    'account-1',
    'jane',
    AGENT.email!,
    AGENT.id,
  ]
  for (const value of secrets) expect(desk.log()).not.toContain(value)
  for (const value of [page.t!, 'r3ason', 'account-1', 'database']) {
    expect(`${failed.html}${bad.html}`).not.toContain(value)
  }
})

test('a line break in the name of an agent stays text', async () => {
  const signIn = () => ({ id: 'x\r\nset-cookie: a=b', email: 'a\nb@c\r\nX: y' })
  const { status, response } = await createDesk({}, { signIn }).open()
  expect(status).toBe(200)
  expect(response.headers.get('set-cookie')).toBeNull()
})

test.each([
  ['throws', () => Promise.reject(new Error('no sign-in')), 'no sign-in'],
  ['returns nothing', () => undefined, 'did not return an agent.'],
  ['returns an empty agent', () => ({ id: ' ', email: '' }), 'did not return an agent.'],
  ['returns true', () => true, 'did not return an agent.'],
  ['returns something else', () => ({ name: 'Robin' }), 'did not return an agent.'],
])(
  'a sign-in that %s denies the page and the form, and is in the log',
  async (_, signIn, reason) => {
    const desk = createDesk({}, { signIn })
    const link = await desk.newLink()
    const page = await desk.show(link)
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(page.html).toContain('<code>')
    expect(page.html).not.toContain('account-1')
    expect(desk.logger.lines.at(-1)).toMatchObject({ level: 'error' })
    expect(desk.log()).toContain(reason)
    const { form } = await createDesk().open()
    expect(await desk.confirm({ t: tokenOf(link), form })).toMatchObject({ status: 403 })
    expect(desk.runs).toEqual([])
  },
)

test('a sign-in that hangs denies the page', async () => {
  const hurried = createDesk({}, { signIn: hang }, { timeoutMs: 50 })
  expect(await hurried.show(await createDesk().newLink())).toMatchObject({
    status: 403,
    outcome: 'forbidden',
  })
})

test('a response of the sign-in is sent as it was returned', async () => {
  const signIn = () => new Response(null, { status: 302, headers: { location: '/sign-in' } })
  const { status, response } = await createDesk({}, { signIn }).open()
  expect([status, response.headers.get('location')]).toEqual([302, '/sign-in'])
})

test.each([
  ['returns false', () => false],
  ['returns a truthy value', () => 1],
  ['rejects', () => Promise.reject(new Error('directory'))],
])('authorize that %s forbids the page and the confirmation', async (name, authorize) => {
  let rule: () => unknown = () => true
  const desk = createDesk({ authorize: () => rule() })
  const link = await desk.newLink()
  const page = await desk.show(link)
  rule = authorize
  for (const denied of [await desk.show(link), await desk.confirm(page)]) {
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(denied.html).toContain('robin@acme.example')
    expect(denied.html.includes('<code>')).toBe(name === 'rejects')
  }
  expect(desk.log().includes('directory')).toBe(name === 'rejects')
  expect(desk.runs).toEqual([])
})
