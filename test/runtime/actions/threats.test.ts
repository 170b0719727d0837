import { EncryptJWT } from 'jose'
import { section, secretHeader, text } from 'sidecard'
import { sectionCache } from 'sidecard/cache'
import { actions, memoryReceipts, type Receipt, type Receipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  PUBLIC_URL,
  readLinks,
  readPage,
  SECRET,
  send,
} from '../../helpers/actions.ts'
import { FETCH_DATA } from '../../helpers/app.ts'
import { createDesk, SAM } from '../../helpers/desk.ts'

const HEADER_SECRET = 'a-header-secret'
const auth = secretHeader('x-sidecard-secret', HEADER_SECRET)
const tokenOf = (link: string) => new URL(link).searchParams.get('t')!

test('a link of one action does nothing with another action of the same app', async () => {
  const ran: string[] = []
  const create = (name: string) =>
    createExtendTrial({ name, label: name, run: () => void ran.push(name) })
  const [refund, close] = [create('refund'), create('close-account')]
  const receipts = memoryReceipts()
  const signIn = () => AGENT
  const options = { publicUrl: PUBLIC_URL, secret: SECRET, signIn, receipts }
  const fetchData = () => [refund.button({ accountId: 'a' }), close.button({ accountId: 'a' })]
  const both = actions({ list: [refund, close], ...options })
  const app = createActionApp(refund, {}, { fetchData, actions: both })
  const [link, other] = await readLinks(app)
  const [page, otherPage] = [await openPage(app, link!), await openPage(app, other!)]
  expect(await confirmPage(app, { ...page, form: otherPage.form! })).toMatchObject({
    outcome: 'forbidden',
  })
  const named = `${localPath(link!)}&name=close-account&action=close-account&act=close-account`
  expect(await readPage(await send(app, named))).toMatchObject({ heading: 'refund' })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const fields = { t: page.t!, form: page.form!, seen: '', 'field-days': '7' }
  const body = new URLSearchParams({ ...fields, name: 'close-account', act: 'close-account' })
  const headers = { ...type, 'sec-fetch-site': 'same-origin' }
  await send(app, '/actions?act=close-account', { method: 'POST', headers, body: String(body) })
  expect(ran).toEqual(['refund'])
})

test('no other origin may read the page', async () => {
  const app = createActionApp()
  const [link] = await readLinks(app)
  const origin = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const preflight = { ...origin, 'access-control-request-method': 'POST' }
  const responses = [
    await send(app, localPath(link!), { headers: origin }),
    await send(app, localPath(link!), { method: 'OPTIONS', headers: preflight }),
  ]
  for (const { headers } of responses) {
    const names = [...headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  }
})

test('an agent’s session does not create links', async () => {
  const app = createActionApp(createExtendTrial(), {}, { auth })
  const secret = { 'x-sidecard-secret': HEADER_SECRET }
  const sidebar = await send(app, FETCH_DATA, { headers: secret })
  const [{ url }] = (await sidebar.json()).components
  const page = await openPage(app, url)
  const done = await confirmPage(app, page)
  // Neither page has a link but its own.
  for (const { html } of [page, done]) {
    expect([...html.matchAll(/ey[\w-]+\.\.[\w.-]+/g)].filter(([one]) => one !== page.t)).toEqual([])
  }
  expect((await send(app, FETCH_DATA)).status).toBe(401)
  const keys = [page.form!, page.t!, AGENT.id, HEADER_SECRET].map((one) =>
    new TextEncoder().encode(one.padEnd(32, 'x').slice(0, 32)),
  )
  for (const key of keys) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const forged = await new EncryptJWT({
      act: 'extend-trial',
      inp: '{"accountId":"b"}',
      ids: [],
      iat: 1,
    })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(`${PUBLIC_URL}/actions Billing`)
      .setExpirationTime('1h')
      .setJti('1')
      .encrypt(key)
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect((await send(app, `/actions?t=${forged}`)).status).toBe(400)
  }
})

test('the secret of the header opens sidebars with links, and no page', async () => {
  const signIn = () => Promise.reject(new Error('no sign-in'))
  const app = createActionApp(createExtendTrial(), { signIn }, { auth })
  const headers = { 'x-sidecard-secret': HEADER_SECRET }
  const sidebar = await send(app, FETCH_DATA, { headers })
  const [{ url }] = (await sidebar.json()).components
  expect(url).toContain('/actions?t=ey')
  const page = await openPage(app, url, { headers })
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden', t: undefined })
  expect(page.html).not.toContain('account-1')
  const form = { t: tokenOf(url), form: '' }
  const sent = { ...headers, 'sec-fetch-site': 'same-origin' }
  expect(await confirmPage(app, form, undefined, sent)).toMatchObject({ outcome: 'forbidden' })
  expect(app.journal.runs).toEqual([])
})

test('the secret of the actions makes links with any input, and does not sign in', async () => {
  const attacker = createActionApp()
  const path = '/?request_type=fetch_data&account_id=chosen-by-the-attacker'
  const [link] = await readLinks(attacker, path)
  const shown = await openPage(attacker, link!)
  expect(await openPage(createActionApp(), link!)).toMatchObject({ outcome: 'shown' })
  const signIn = () => Promise.reject(new Error('no sign-in'))
  const app = createActionApp(createExtendTrial(), { signIn })
  expect(await openPage(app, link!)).toMatchObject({ status: 403, t: undefined })
  // Even a form that the attacker made with the secret.
  expect(await confirmPage(app, shown)).toMatchObject({ status: 403, outcome: 'forbidden' })
  const sam = createActionApp(createExtendTrial(), { signIn: () => SAM })
  expect(await confirmPage(sam, shown)).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect([app.journal.runs, sam.journal.runs]).toEqual([[], []])
})

test('an input that was changed in the cache is what the page shows before anything runs', async () => {
  const entries = new Map<string, string>()
  const store = {
    get: (key: string) => entries.get(key),
    set: (key: string, value: string) => void entries.set(key, value),
  }
  const create = () => {
    const cache = sectionCache({ name: 'changed input', store, ttlSeconds: 60 })
    const extendTrial = createExtendTrial()
    const load = () => [extendTrial.button({ accountId: 'account-1' })]
    const fetchData = () => [section('Trial', load, { cache, key: ['a'] })]
    return createActionApp(extendTrial, {}, { fetchData })
  }
  const env = {}
  await readLinks(create(), FETCH_DATA, env)
  await expect.poll(() => [...entries.values()].join('')).toContain('account-1')
  for (const [key, value] of entries) {
    const changed = value.replaceAll('account-1', 'account-of-a-victim')
    entries.set(key, changed.replaceAll('Extend trial', 'Say hello'))
  }
  // Another process, which has not loaded it.
  const app = create()
  const sidebar = await (await send(app, FETCH_DATA, {}, env)).json()
  const [button] = sidebar.components[0].components
  expect(button.label).toBe('Say hello')
  const page = await openPage(app, button.url, {}, env)
  // Whatever the button says, the page names the action and who is affected.
  expect(page).toMatchObject({ outcome: 'shown', heading: 'Extend trial' })
  expect(page.html).toContain('account-of-a-victim')
  expect(page.html).not.toMatch(/Say hello|account-1"/)
  expect(app.journal.runs).toEqual([])
})

/** Receipts whose entries are seen, and changed, as by someone with access to their store. */
function openToAttackers() {
  const memory = memoryReceipts()
  const seen: Receipt[] = []
  let change = (receipt: Receipt): Receipt => receipt
  const note = (receipt: Receipt) => {
    seen.push(receipt)
    return receipt
  }
  const receipts: Receipts = {
    ...memory,
    begin: (receipt, number) => memory.begin(note(receipt), number),
    settle: (receipt) => memory.settle(note(receipt)),
    list: async (...keys) => (await memory.list(...keys)).map((one) => change(one)),
  }
  return { receipts, seen, changeTo: (next: typeof change) => (change = next) }
}

const PRIVATE = {
  input: 'jane-doe-private-input',
  typed: 'typed-by-the-agent',
  sentence: 'Refund Jane Doe',
  result: 'r3sult',
}

function createPrivateDesk(overrides = {}) {
  const store = openToAttackers()
  const desk = createDesk(
    {
      summary: () => PRIVATE.sentence,
      show: (_ctx: unknown, { accountId }: any) => text({ label: 'Account', value: accountId }),
      ...overrides,
    },
    { receipts: store.receipts },
  )
  const path = `/?request_type=fetch_data&organization_id=org-1&issue_id=i&requester_email=jane%40doe.example&account_id=${PRIVATE.input}`
  return { desk, path, ...store }
}

test('the receipts say who did which action, and nothing of input, values, sentence and result', async () => {
  for (const run of [undefined, () => Promise.reject(new Error('lost'))]) {
    const { desk, path, seen } = createPrivateDesk(run && { run })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const page = await desk.show(await desk.newLink(path))
    // oxlint-disable-next-line no-await-in-loop -- as above
    await desk.confirm(page, { days: '7', reason: PRIVATE.typed })
    // What begin() writes, and what settle() writes.
    expect(seen).toHaveLength(2)
    for (const receipt of seen) {
      expect(receipt).toMatchObject({ action: 'extend-trial', agent: AGENT })
      // The ID of the account, by which receipts are erased, is the input of this action too.
      const { account, ...others } = receipt
      expect(account).toBe(PRIVATE.input)
      const stored = JSON.stringify(others)
      const private_ = [...Object.values(PRIVATE), 'jane@doe.example', 'days', SECRET]
      for (const value of private_) expect(stored).not.toContain(value)
    }
  }
})

test('a digest in a receipt confirms a guess of the input', async () => {
  const { desk, path } = createPrivateDesk()
  for (const each of [path, path, path.replace(PRIVATE.input, 'other')]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await desk.confirm(await desk.show(await desk.newLink(each)))
  }
  const [one, two, other] = desk.begun.map(({ actionKey }) => actionKey)
  expect(one).toBe(two)
  expect(other).not.toBe(one)
})

test('content of another receipt is not shown', async () => {
  const { desk, path, seen, changeTo } = createPrivateDesk()
  await desk.confirm(await desk.show(await desk.newLink(path)), { days: '7' })
  const victim = seen.at(-1)!
  desk.agent = SAM
  const own = await desk.newLink('/?request_type=fetch_data&account_id=own')
  await desk.confirm(await desk.show(own))
  expect((await desk.show(own)).html).toContain(PRIVATE.result)
  changeTo((one) =>
    one.attemptId === victim.attemptId ? one : { ...one, encrypted: victim.encrypted },
  )
  const page = await desk.show(own)
  expect(page).toMatchObject({ outcome: 'already_done' })
  expect(page.html).not.toMatch(/r3sult|Refund Jane Doe/)
})

test('a receipt that says "done" or "not done" is believed, and runs nothing by itself', async () => {
  const { desk, path, seen, changeTo } = createPrivateDesk({
    run: () => Promise.reject(new Error('lost')),
  })
  const link = await desk.newLink(path)
  await desk.confirm(await desk.show(link))
  const shown = async (state: Receipt['state']) => {
    changeTo((one) => ({ ...one, state }))
    return (await desk.show(link)).outcome
  }
  expect(await shown('done')).toBe('already_done')
  expect(await shown('not_done')).toBe('shown')
  expect(await shown('unknown')).toBe('unknown')
  expect(seen.length).toBeGreaterThan(0)
  expect(desk.keys).toHaveLength(1)
})

test('an agent in a receipt that was changed is only text', async () => {
  const { desk, path, changeTo } = createPrivateDesk()
  const link = await desk.newLink(path)
  await desk.confirm(await desk.show(link))
  const email = '<img src=x onerror=alert(1)>'
  changeTo((one) => ({ ...one, agent: { id: 'x', email, groups: [] } }))
  const page = await desk.show(link)
  expect(page.html).toContain('&lt;img')
  expect(page.html).not.toContain('<img')
})
