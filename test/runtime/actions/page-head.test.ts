import { dateTime, text } from 'sidecard'
import { ActionError, numberField, trustedHeader } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES as messages } from '../../../src/runtime/actions/messages.ts'
import {
  confirmPage,
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  readLinks,
  readPage,
  send,
} from '../../helpers/actions.ts'
import { createRecordingLogger, FETCH_DATA } from '../../helpers/app.ts'
import { createDesk } from '../../helpers/desk.ts'

test('the page has these headers, with the origins of the sign-in in its policy', async () => {
  const signInOrigins = ['https://a.example', 'https://b.example']
  const signIn = Object.assign(() => ({ id: 'a' }), { signInOrigins })
  const app = createActionApp(undefined, { signIn })
  const { response, html } = await openPage(app, (await readLinks(app))[0]!)
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
})

test('an agent of a sign-in that has no sign-out cannot sign out', async () => {
  const app = createActionApp()
  const { html } = await openPage(app, (await readLinks(app))[0]!)
  expect(html).toContain('robin@acme.example')
  expect(html).not.toContain(messages.signOut)
})

test('the title names the action, and crawlers are told to leave', async () => {
  const desk = createDesk()
  const page = await desk.open()
  expect(page.html).toContain('<title>Extend trial</title>')
  expect(page.html).toContain('<meta name="robots" content="noindex">')
  const done = await desk.confirm(page)
  expect(done.html).toContain(`<title>${messages.done} – Extend trial</title>`)
})

test('times are in the time zone of the option', async () => {
  const show = () => [dateTime({ label: 'Since', value: new Date('2027-01-31T12:00:00Z') })]
  const open = async (options: object) => {
    const app = createActionApp(createExtendTrial({ show }), options)
    return (await openPage(app, (await readLinks(app))[0]!)).html
  }
  expect(await open({})).toMatch(/2027[^<]*12:00/)
  expect(await open({ timeZone: 'Asia/Tokyo' })).toMatch(/2027[^<]*21:00/)
})

test.each([
  ['', 400, messages.noLink, messages.noLinkText],
  ['?unavailable', 503, messages.unavailable, messages.unavailableText],
  ['?t=x&t=y', 400, messages.invalid, messages.invalidText],
  ['?t=x', 400, messages.invalid, messages.invalidText],
])('the page at /actions%s has the status %i', async (query, status, heading, content) => {
  const page = await readPage(await send(createActionApp(), `/actions${query}`))
  expect(page).toMatchObject({ status, heading })
  expect(page.html).toContain(content)
})

describe('a sidebar', () => {
  test('without a problem writes no line about actions, and has its receipts opened', async () => {
    const logger = createRecordingLogger()
    let opened = 0
    const receipts = () => ((opened += 1), undefined as never)
    const app = createActionApp(undefined, { receipts }, { logger })
    await readLinks(app)
    expect(opened).toBe(1)
    expect(logger.lines.map(({ fields }) => fields['msg'])).not.toContain('sidecard actions')
  })

  test('without a button does not need a setup', async () => {
    const logger = createRecordingLogger()
    const fetchData = () => [text({ label: 'a', value: 'b' })]
    const app = createActionApp(undefined, { secret: '' }, { logger, fetchData })
    const response = await app.request(`https://app.example${FETCH_DATA}`)
    expect(response.headers.get('x-sidecard-failure')).toBeNull()
    expect(logger.lines.map(({ fields }) => fields['msg'])).not.toContain('sidecard actions')
  })

  test.each([
    ['secret', { secret: '' }],
    ['secret for receipts', { receiptSecret: () => '' }],
  ])('with a button that has no %s writes one, and has no link', async (_, options) => {
    const logger = createRecordingLogger()
    const app = createActionApp(undefined, options, { logger })
    const response = await app.request(`https://app.example${FETCH_DATA}`)
    expect(await response.text()).not.toContain('?t=')
    expect((await app.request('https://app.example/actions?t=x')).status).toBe(503)
    expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ msg: 'sidecard actions', app: 'Billing' }),
    )
  })
})

describe('trustedHeader()', () => {
  const NAME = 'x-auth-request-email'
  test.each([
    ['robin@acme.example', { id: 'robin@acme.example', email: 'robin@acme.example' }],
    ['robin', { id: 'robin' }],
  ])('reads %s', async (value, expected) => {
    const seen: unknown[] = []
    const show = ({ agent: { id, email } }: any) => (seen.push({ id, email }), [])
    const app = createActionApp(createExtendTrial({ show }), { signIn: trustedHeader(NAME) })
    const [link] = await readLinks(app)
    const { headers } = await send(app, localPath(link!), { headers: { [NAME]: value } })
    expect(seen).toEqual([expected])
    expect(headers.get('content-security-policy')).toContain("form-action 'self';")
  })

  test('says what is wrong', async () => {
    expect(() => trustedHeader('x email')).toThrow(
      'trustedHeader: the first argument must be a header name without spaces and colons, such as "x-auth-request-email".',
    )
    expect(() => trustedHeader(NAME, { groupsHeader: 'x groups' })).toThrow(
      'trustedHeader: groupsHeader must be the name of a header.',
    )
    const logger = createRecordingLogger()
    const app = createActionApp(undefined, { signIn: trustedHeader(NAME) }, { logger })
    await openPage(app, (await readLinks(app))[0]!)
    expect(JSON.stringify(logger.lines)).toContain('The header that the proxy sets is missing.')
  })
})

test('only an ActionError says that nothing was done', async () => {
  expect(new ActionError('Busy.')).toMatchObject({ name: 'ActionError', code: 'action_refused' })
  const desk = createDesk({ run: () => numberField({} as never) })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'unknown' })
  const copy = Object.assign(new Error('Busy.'), { code: 'action_refused' })
  const other = createDesk({ run: () => Promise.reject(copy) })
  expect(await other.confirm(await other.open())).toMatchObject({ outcome: 'unknown' })
})

test('a form whose origin a proxy hides over plain http is explained', async () => {
  const logger = createRecordingLogger()
  const app = createActionApp(undefined, {}, { logger })
  const page = await openPage(app, (await readLinks(app))[0]!)
  const hidden = await confirmPage(app, page, undefined, { origin: 'null' })
  expect(hidden.html).toContain(messages.hiddenOrigin)
  expect(JSON.stringify(logger.lines)).toContain('Referrer-Policy: no-referrer')
  const site = { origin: 'null', 'sec-fetch-site': 'cross-site' }
  expect((await confirmPage(app, page, undefined, site)).html).toContain(messages.foreignForm)
})
