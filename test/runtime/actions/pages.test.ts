import { dateTime, identify, text } from 'sidecard'
import { ActionError, type ActionMessages, anyAgent } from 'sidecard/actions'
import { numberField } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import { AGENT, createActionApp, readPage, send } from '../../helpers/actions.ts'
import { createDesk, lost } from '../../helpers/desk.ts'

type Desk = ReturnType<typeof createDesk>

const fail = (error: unknown) => () => Promise.reject(error)
const hang = () => new Promise(() => undefined)

test('a button opens a page that runs the action once', async () => {
  const desk = createDesk({
    run: (_ctx: any, _input: any, { days }: any) => result(`${days} days`),
  })
  const link = await desk.newLink()
  const page = await desk.show(link)
  expect(page).toMatchObject({ status: 200, outcome: 'shown', heading: 'Extend trial' })
  expect(page.html).toContain('account-1')
  expect(desk.runs).toEqual([])
  const done = await desk.confirm(page, { days: '7', reason: '  A long\r\nevaluation ' })
  expect(done).toMatchObject({ status: 200, outcome: 'done', heading: 'Done' })
  expect(done.html).toContain('7 days')
  const values = { days: 7, reason: 'A long\nevaluation' }
  expect(desk.runs).toEqual([{ input: { accountId: 'account-1' }, values, agent: AGENT }])
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'already_done', status: 200 })
  const again = await desk.show(link)
  expect(again).toMatchObject({ outcome: 'already_done', heading: 'Done' })
  expect(again.html).toBe(done.html)
  expect(desk.runs).toHaveLength(1)
})

const result = (value: string) => text({ label: 'Result', value })
const open = (desk: Desk) => desk.open()
const confirm = async (desk: Desk) => desk.confirm(await desk.open())
const enterText = async (desk: Desk) => desk.confirm(await desk.open(), { days: 'x' })
const openWithoutId = (desk: Desk) => desk.open('/?request_type=fetch_data&account_id=a')
const confirmBoth = async (desk: Desk) => {
  const pages = [await desk.open(), await desk.open()]
  await desk.confirm(pages[0])
  return desk.confirm(pages[1])
}
const confirmTwice = async (desk: Desk) => {
  const page = await desk.open()
  await desk.confirm(page)
  return desk.confirm(page)
}

const { done, reload, changedSince, checkFields, unavailable, failedText, notDone } = messages
const busy = { run: fail(new ActionError('Busy.')) }
const mayGo = 'This may still go through.'
const denied = messages.forbiddenText('robin@acme.example')

/** Outcome, status, level of the log, tone, heading, text, and what leads to the page. */
test.each<
  [string, number, string, string, string, string | undefined, object, (desk: Desk) => Promise<any>]
>([
  ['shown', 200, 'info', 'plain', 'Extend trial', undefined, {}, open],
  ['done', 200, 'info', 'good', done, reload, {}, confirm],
  ['already_done', 200, 'info', 'good', done, reload, {}, confirmTwice],
  ['refused', 409, 'warn', 'caution', notDone, 'Busy.', busy, confirm],
  ['unknown', 500, 'error', 'bad', messages.unknown, mayGo, { run: lost }, confirm],
  ['unknown', 500, 'error', 'bad', messages.unknown, mayGo, { run: fail(undefined) }, confirm],
  ['in_progress', 409, 'info', 'caution', 'Extend trial', changedSince, {}, confirmBoth],
  ['forbidden', 403, 'warn', 'bad', messages.forbidden, denied, { authorize: () => false }, open],
  ['failed', 500, 'error', 'bad', unavailable, failedText, { show: fail(new Error('x')) }, open],
  ['invalid', 422, 'warn', 'bad', 'Extend trial', checkFields, {}, enterText],
  [
    'not_found',
    404,
    'info',
    'plain',
    unavailable,
    undefined,
    { show: (ctx: any) => ctx.require('requester_id') },
    openWithoutId,
  ],
])(
  'the page %s has the status %i, a log line at the level %s, and is %s',
  async (outcome, status, level, tone, heading, shown, overrides, act) => {
    const desk = createDesk(overrides)
    const page = await act(desk)
    expect(page).toMatchObject({ outcome, status, heading })
    expect(desk.logger.lines.at(-1)).toMatchObject({ level, fields: { outcome, status } })
    expect(page.html).toContain(`<h1 class="${tone}">${heading}<`)
    const html = page.html.replace(/ Check again [^<]*/, '').replace(' role="alert"', '')
    const [, message] = /<p class="message ([^<]*)/.exec(html) ?? []
    expect(message).toBe(shown && `${tone}">${shown}`)
  },
)

test('a success has a log line and an audit record with the agent and the issue', async () => {
  const desk = createDesk()
  const { html } = await desk.confirm(await desk.open(), { days: '7', reason: 's3cret' })
  const { level, fields } = desk.logger.lines.at(-1)!
  expect(level).toBe('info')
  const { traceId } = fields as { traceId: string }
  expect(fields).toMatchObject({ requestType: 'action', action: 'extend-trial', status: 200 })
  const record = desk.records.at(-1)!
  const params = { issue_id: 'issue-1', organization_id: 'org-1' }
  const ended = { action: 'extend-trial', outcome: 'done', status: 200 }
  expect(record).toMatchObject({ ...ended, agent: AGENT, params, traceId })
  expect(JSON.stringify(record)).not.toMatch(/s3cret|accountId/)
  expect(html).toContain(traceId)
})

test('the page has these headers, with the origins of the sign-in in its policy', async () => {
  const signInOrigins = ['https://a.example', 'https://b.example']
  const signIn = Object.assign(() => ({ id: 'a' }), { signInOrigins })
  const { response, html } = await createDesk({}, { signIn }).open()
  const styles = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, style]) => style!)
  const hashes = await Promise.all(
    styles.map(async (style) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
      return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
    }),
  )
  expect(hashes).toHaveLength(2)
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${hashes.join(' ')}; form-action 'self' https://a.example https://b.example; base-uri 'none'; frame-ancestors 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
    'x-sidecard-outcome': 'shown',
    'x-sidecard-trace': expect.stringMatching(/\w/),
  })
  expect(html).not.toMatch(/<script|<meta name="referrer"| on\w+=| style=/i)
})

test('the title names the action, and crawlers are told to leave', async () => {
  const desk = createDesk()
  const page = await desk.open()
  expect(page.html).toContain('<title>Extend trial</title>')
  expect(page.html).toContain('<meta name="robots" content="noindex">')
  expect((await desk.confirm(page)).html).toContain(`<title>${done} – Extend trial</title>`)
})

test('times are in the time zone of the option', async () => {
  const show = () => [dateTime({ label: 'Since', value: new Date('2027-01-31T12:00:00Z') })]
  expect((await createDesk({ show }).open()).html).toMatch(/2027[^<]*12:00/)
  const desk = createDesk({ show }, { timeZone: 'Asia/Tokyo' })
  expect((await desk.open()).html).toMatch(/2027[^<]*21:00/)
})

test.each([
  ['', 400, messages.noLink, messages.noLinkText],
  ['?unavailable', 503, unavailable, messages.unavailableText],
  ['?t=x&t=y', 400, messages.invalid, messages.invalidText],
  ['?t=x', 400, messages.invalid, messages.invalidText],
])('the page at /actions%s has the status %i', async (query, status, heading, content) => {
  const page = await readPage(await send(createActionApp(), `/actions${query}`))
  expect(page).toMatchObject({ status, heading })
  expect(page.html).toContain(content)
})

test('a message of the app replaces the English one, unless it returns no text', async () => {
  const own: Partial<ActionMessages> = {
    signOut: 'Abmelden',
    signedInAs: (agent) => `Angemeldet: ${agent}`,
    lastDone: () => undefined as never,
  }
  const signIn = Object.assign(() => AGENT, { canSignOut: true })
  const desk = createDesk({}, { messages: own, signIn })
  const page = await desk.open()
  expect(page.html).toContain('Angemeldet: robin@acme.example')
  expect(page.html).toContain('>Abmelden</button>')
  await desk.confirm(page)
  expect((await desk.open()).html).toMatch(/Last done: .* by robin@acme\.example\./)
})

test('anyone who has the link sees the receipt of anyone', async () => {
  const desk = createDesk({}, { signIn: anyAgent() })
  const link = await desk.newLink()
  const page = await desk.show(link)
  expect(page.html).not.toContain('Signed in as')
  expect((await desk.confirm(page)).html).toMatch(/<p class="quiet">Confirmed: [^<]+<\/p>/)
  expect(await desk.show(link)).toMatchObject({ heading: 'Done', outcome: 'already_done' })
})

test('a rule that rejects anyone names nobody', async () => {
  const desk = createDesk({ authorize: () => false }, { signIn: anyAgent() })
  const { html } = await desk.open()
  expect(html).toContain(messages.forbiddenAnyone)
  expect(html).not.toContain('<code>')
})

test('a form whose origin a proxy hides over plain http is explained', async () => {
  const desk = createDesk()
  const page = await desk.open()
  const hidden = await desk.confirm(page, undefined, { origin: 'null' })
  expect(hidden.html).toContain(messages.hiddenOrigin)
  expect(desk.log()).toContain('Referrer-Policy: no-referrer')
  const site = { origin: 'null', 'sec-fetch-site': 'cross-site' }
  expect((await desk.confirm(page, undefined, site)).html).toContain(messages.foreignForm)
})

describe('run', () => {
  test.each<[string, () => unknown, string]>([
    ['a result', () => result('b'), 'done'],
    ['nothing', () => undefined, 'done'],
    ['an error', lost, 'unknown'],
  ])('a run that ends with %s is written once, with one record', async (_, run, outcome) => {
    const desk = createDesk({ run })
    await confirm(desk)
    expect(await desk.last()).toMatchObject({ state: outcome, revision: 1 })
    expect(desk.outcomes()).toEqual(['shown', 'started', outcome])
    expect(desk.problems()).toEqual([])
  })

  test.each([
    ['an error of a builder', () => numberField({} as never)],
    ['a copy of an ActionError', fail(Object.assign(new Error('x'), { code: 'action_refused' }))],
  ])('a run that throws %s does not say that nothing was done', async (_, run) => {
    expect(new ActionError('x')).toMatchObject({ name: 'ActionError', code: 'action_refused' })
    expect(await confirm(createDesk({ run }))).toMatchObject({ outcome: 'unknown' })
  })

  test('a result of more than 64 KiB is shown once, and then only that it is done', async () => {
    const run = () => Array.from({ length: 70 }, () => result('r3sult'.padEnd(1_000, 'x')))
    const desk = createDesk({ run, summary: () => 'Extend it' })
    const link = await desk.newLink()
    expect((await desk.confirm(await desk.show(link))).html).toContain('r3sult')
    const again = await desk.show(link)
    expect(again).toMatchObject({ outcome: 'already_done', heading: 'Done' })
    expect(again.html).toContain('<p class="sentence">Extend it</p>')
    expect(again.html).not.toContain('r3sult')
  })
})

test.each<[string, (...args: any[]) => unknown, number, string]>([
  ['throws', fail(new Error('database')), 500, 'failed'],
  ['hangs', hang, 500, 'failed'],
  ['returns no components', () => 'text', 500, 'failed'],
  ['throws an ActionError', fail(new ActionError('Closed.')), 409, 'refused'],
  ['finds no customer', (ctx) => identify(ctx, { account_id: () => undefined }), 404, 'not_found'],
])('if show %s, the page has no form', async (_, show, status, outcome) => {
  const desk = createDesk({ show }, {}, show === hang ? { timeoutMs: 300 } : {})
  const page = await desk.show(await createDesk().newLink())
  expect(page).toMatchObject({ status, outcome, t: undefined })
  expect(desk.logger.lines.at(-1)).toMatchObject({ fields: { outcome, status } })
  expect(desk.records.at(-1)).toMatchObject({ outcome, status })
  expect(page.html).not.toContain('database')
  expect(page.html.includes('<code>')).toBe(outcome === 'failed')
  expect(page.html.includes('<section class="sidecard-widget"')).toBe(outcome === 'not_found')
  expect(page.html.includes('Closed.')).toBe(outcome === 'refused')
})

test.each<[string, unknown]>([
  ['summary', 7],
  ['summary', ' '],
  ['uniqueKey', 7],
  ['uniqueKey', ''],
])('the option %s that returns %j runs nothing, and is logged', async (name, value) => {
  let isBroken = false
  const desk = createDesk({ [name]: () => (isBroken ? value : 'intent') })
  const page = await desk.open()
  isBroken = true
  const failed = await desk.confirm(page, { days: '7', reason: 'Kept' })
  expect(failed.outcome).toBe('failed')
  expect(failed.html).toContain('Kept')
  expect(desk.keys).toEqual([])
  expect(desk.log()).toContain(`The option ${name} of an action must return a non-empty string.`)
})
