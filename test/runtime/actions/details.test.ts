import { text } from 'sidecard'
import {
  ActionError,
  type ActionMessages,
  anyAgent,
  memoryReceipts,
  openIdConnect,
  textField,
} from 'sidecard/actions'
import { expect, test, vi } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'

async function open(overrides: Record<string, unknown> = {}, options = {}) {
  const logger = createRecordingLogger()
  const app = createActionApp(createExtendTrial(overrides), options, { logger })
  const [link] = await readLinks(app)
  return { app, link: link!, logger, logs: () => JSON.stringify(logger.lines) }
}

test('the trace ID of show and run is that of the page', async () => {
  const traceIds: string[] = []
  const note = (ctx: { traceId: string }) => void traceIds.push(ctx.traceId)
  const show = (ctx: { traceId: string }) => (note(ctx), [])
  const { app, link } = await open({ show, run: note })
  const page = await openPage(app, link)
  const done = await confirmPage(app, page)
  const headers = [page, done].map(({ response }) => response.headers.get('x-sidecard-trace'))
  expect(traceIds).toEqual(headers)
})

test('a sentence is on the page only if the agent enters nothing', async () => {
  const confirm = (_input: unknown, { days }: { days?: number }) => `Extend by ${days} days`
  const withFields = await open({ summary: confirm })
  expect((await openPage(withFields.app, withFields.link)).html).not.toContain('class="sentence"')
  const fixed = await open({ summary: () => 'Extend by a week', form: {} })
  expect((await openPage(fixed.app, fixed.link)).html).toContain('Extend by a week')
})

test('who waited for a confirmation that did nothing has the form again', async () => {
  let end: (() => void) | undefined
  const run = () =>
    new Promise((_, reject) => (end = () => reject(new ActionError('Not now.')))) as never
  const { app, link } = await open({ run })
  const page = await openPage(app, link)
  const first = confirmPage(app, page)
  await vi.waitFor(() => expect(end).toBeDefined())
  const second = openPage(app, link)
  end?.()
  expect(await first).toMatchObject({ outcome: 'refused' })
  expect(await second).toMatchObject({ outcome: 'shown', status: 200 })
})

test('a message of the app replaces the English one, unless it returns no text', async () => {
  const messages: Partial<ActionMessages> = {
    signOut: 'Abmelden',
    signedInAs: (agent) => `Angemeldet: ${agent}`,
    lastDone: () => undefined as never,
  }
  const signIn = Object.assign(() => AGENT, { canSignOut: true })
  const { app, link } = await open({}, { messages, signIn })
  const page = await openPage(app, link)
  expect(page.html).toContain('Angemeldet: robin@acme.example')
  expect(page.html).toContain('>Abmelden</button>')
  await confirmPage(app, page)
  const [other] = await readLinks(app)
  expect((await openPage(app, other!)).html).toMatch(/Last done: .* by robin@acme\.example\./)
})

test('anyone who has the link sees the receipt of anyone', async () => {
  const { app, link } = await open({}, { signIn: anyAgent() })
  const page = await openPage(app, link)
  expect(page.html).not.toContain('Signed in as')
  const done = await confirmPage(app, page)
  expect(done.html).toMatch(/<p class="quiet">Confirmed: [^<]+<\/p>/)
  expect(await openPage(app, link)).toMatchObject({ heading: 'Done', outcome: 'already_done' })
})

test.each<[string, (button: any) => unknown, readonly [string, string, string]]>([
  [
    'lost its input',
    (button) => JSON.parse(JSON.stringify(button)),
    [
      'invalid_uri_scheme',
      'was not created by button() of an action',
      'Return the button itself: a JSON copy has lost its input.',
    ],
  ],
  [
    'is of another app',
    () => createExtendTrial({ name: 'other' }).button({ accountId: 'a' }),
    [
      'invalid_uri_scheme',
      'belongs to an action of another app',
      'Add the action to the list of actions().',
    ],
  ],
  [
    'has a number as its URL',
    (button) => ({ ...button, url: 7 }),
    ['invalid_type', 'must be a URI, got a number', 'Write String(value).'],
  ],
])('a button that %s is reported with the fix', async (_, change, [code, message, fix]) => {
  const extendTrial = createExtendTrial()
  const logger = createRecordingLogger()
  const onError = vi.fn()
  const fetchData = () => [change(extendTrial.button({ accountId: 'a' })) as never]
  await createActionApp(extendTrial, {}, { logger, onError, fetchData }).request(
    '/?request_type=fetch_data',
  )
  expect(onError.mock.calls[0]?.[0].issues).toEqual([
    { path: 'components[0].url', code, message, fix },
  ])
  expect(JSON.stringify(logger.lines)).toContain(`${message}. ${fix}`)
})

test('the log says which form is no form', async () => {
  const { app, link, logs } = await open({ form: () => ({ reason: 'a text' }) })
  expect(await openPage(app, link)).toMatchObject({ outcome: 'failed', status: 500 })
  expect(logs()).toContain('The option form of extend-trial must return an object of fields.')
})

test('in development, two apps without a secret do not accept the links of each other', async () => {
  const env = { SIDECARD_DEV: '1' }
  // Workers accept receipts in memory only in tests, and these requests come from a host.
  const receipts = { ...memoryReceipts() }
  const create = () => createActionApp(undefined, { secret: { binding: 'NONE' }, receipts })
  const [app, other] = [create(), create()]
  const response = await app.request('http://localhost/?request_type=fetch_data', {}, env)
  const { components }: any = await response.json()
  const path = `http://localhost${localPath(components[0].url)}`
  expect((await app.request(path, {}, env)).status).toBe(200)
  expect((await other.request(path, {}, env)).status).toBe(400)
})

test('a host without bindings opens the page', async () => {
  const app = createActionApp(undefined, { receipts: () => ({ ...memoryReceipts() }) })
  const response = await app.request('/?request_type=fetch_data', {}, null as never)
  const { components }: any = await response.json()
  const page = await app.request(localPath(components[0].url), {}, null as never)
  expect(page.status).toBe(200)
})

test('memory says which option is wrong', () => {
  expect(() => memoryReceipts({ now: 7 as never })).toThrow(
    'memoryReceipts: now must be a function.',
  )
})

test.each([['email'], ['email,openid'], [5 as never], ['']])(
  'the scope %j without openid is rejected',
  (scope) => {
    const options = { issuer: 'https://login.example', clientId: 'a', scope }
    expect(() => openIdConnect(options)).toThrow('scope must be scopes with openid')
    expect(() => openIdConnect({ ...options, scope: 'email openid' })).not.toThrow()
  },
)

test('an answer that the store did not take is in the log, and the outcome stays unknown', async () => {
  const memory = memoryReceipts()
  let isDeaf = false
  const settle = (receipt: Parameters<typeof memory.settle>[0]) =>
    isDeaf ? receipt : memory.settle(receipt)
  const run = () => Promise.reject(new Error('lost'))
  const receipts = { ...memory, settle }
  const { app, link, logs } = await open({ run }, { receipts })
  const unknown = await confirmPage(app, await openPage(app, link))
  isDeaf = true
  expect(await confirmPage(app, unknown, { resolve: 'done' })).toMatchObject({ outcome: 'unknown' })
  expect(logs()).toContain('receipt not replaced')
})

test('the text of a result that is no payload is not shown, and it is done', async () => {
  const run = () => [text({ label: 'a', value: 'b' }), { type: 'nonsense' }]
  const { app, link, logs } = await open({ run, form: { note: textField({ label: 'Note' }) } })
  const done = await confirmPage(app, await openPage(app, link), { note: 'x' })
  expect(done).toMatchObject({ outcome: 'done', status: 200, heading: 'Done' })
  expect(done.html).not.toContain('sidecard-widget"')
  expect(logs()).toContain('nonsense')
})
