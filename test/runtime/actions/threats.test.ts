import { section, secretHeader, text } from 'sidecard'
import { sectionCache } from 'sidecard/cache'
import { actions, memoryReceipts, type Receipt, type Receipts } from 'sidecard/actions'
import { expect, test } from 'vitest'
import {
  AGENT,
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
import { createMapStore } from '../../helpers/cache.ts'
import { createDesk, lost, SAM } from '../../helpers/desk.ts'

const HEADER_SECRET = 'a-header-secret'
const auth = secretHeader('x-sidecard-secret', HEADER_SECRET)
const headers = { 'x-sidecard-secret': HEADER_SECRET }
const tokenOf = (link: string) => new URL(link).searchParams.get('t')!
const signIn = () => Promise.reject(new Error('no sign-in'))

test('a link of one action does nothing with another action of the same app', async () => {
  const close = createExtendTrial({ name: 'close-account', run: () => expect.unreachable() })
  const refund = createExtendTrial({ name: 'refund', label: 'refund' })
  const receipts = memoryReceipts()
  const options = { publicUrl: PUBLIC_URL, secret: SECRET, signIn: () => AGENT, receipts }
  const fetchData = () => [refund.button({ accountId: 'a' }), close.button({ accountId: 'a' })]
  const both = actions({ list: [refund, close], ...options })
  const app = createActionApp(refund, {}, { fetchData, actions: both })
  const [link, other] = await readLinks(app)
  const [page, otherPage] = [await openPage(app, link!), await openPage(app, other!)]
  const query = 'name=close-account&action=close-account&act=close-account'
  const named = await readPage(await send(app, `${localPath(link!)}&${query}`))
  expect(named).toMatchObject({ heading: 'refund' })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const init = { method: 'POST', headers: { ...type, 'sec-fetch-site': 'same-origin' } }
  const fields = { t: page.t!, seen: '', 'field-days': '7', act: 'close-account' }
  const post = async (form: string) => {
    const body = String(new URLSearchParams({ ...fields, form }))
    return (await readPage(await send(app, `/actions?${query}`, { ...init, body }))).outcome
  }
  expect([await post(otherPage.form!), await post(page.form!)]).toEqual(['forbidden', 'done'])
})

test('an agent’s session does not create links', async () => {
  const desk = createDesk({}, {}, { auth })
  const sidebar = await send(desk.app, FETCH_DATA, { headers })
  const page = await desk.show((await sidebar.json()).components[0].url)
  // Neither page has a link but its own.
  for (const { html } of [page, await desk.confirm(page)]) {
    const tokens = Array.from(html.matchAll(/ey[\w-]+\.\.[\w.-]+/g), ([token]) => token)
    expect(tokens.filter((token) => token !== page.t)).toEqual([])
  }
  expect((await send(desk.app, FETCH_DATA)).status).toBe(401)
})

test('the secret of the header opens sidebars with links, and no page', async () => {
  const desk = createDesk({}, { signIn }, { auth })
  const sidebar = await send(desk.app, FETCH_DATA, { headers })
  const [{ url }] = (await sidebar.json()).components
  const page = await desk.show(url, { headers })
  expect(page).toMatchObject({ status: 403, outcome: 'forbidden', t: undefined })
  expect(page.html).not.toContain('account-1')
  const sent = { ...headers, 'sec-fetch-site': 'same-origin' }
  const form = { t: tokenOf(url), form: '' }
  expect(await desk.confirm(form, undefined, sent)).toMatchObject({ outcome: 'forbidden' })
  expect(desk.runs).toEqual([])
})

test('the secret of the actions makes links with any input, and does not sign in', async () => {
  const attacker = createDesk()
  const path = '/?request_type=fetch_data&account_id=chosen-by-the-attacker'
  const link = await attacker.newLink(path)
  expect(await createDesk().show(link)).toMatchObject({ outcome: 'shown' })
  const desk = createDesk({}, { signIn })
  expect(await desk.show(link)).toMatchObject({ status: 403, t: undefined })
  // Even a form that the attacker made with the secret.
  const shown = await attacker.show(link)
  for (const each of [desk, createDesk({}, { signIn: () => SAM })]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await each.confirm(shown)).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(each.runs).toEqual([])
  }
})

test('an input that was changed in the cache is what the page shows before anything runs', async () => {
  const store = createMapStore()
  const create = () => {
    const cache = sectionCache({ name: 'changed input', store, ttlSeconds: 60 })
    const extendTrial = createExtendTrial()
    const load = () => [extendTrial.button({ accountId: 'account-1' })]
    const fetchData = () => [section('Trial', load, { cache, key: ['a'] })]
    return createActionApp(extendTrial, {}, { fetchData })
  }
  const env = {}
  await readLinks(create(), FETCH_DATA, env)
  await expect.poll(() => [...store.values.values()].join('')).toContain('account-1')
  for (const [key, value] of store.values) {
    const changed = value.replaceAll('account-1', 'account-of-a-victim')
    store.values.set(key, changed.replaceAll('Extend trial', 'Say hello'))
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
})

const PRIVATE = ['jane-doe-private-input', 'typed-by-the-agent', 'Refund Jane Doe', 'r3sult']
const [INPUT, TYPED, SENTENCE, RESULT] = PRIVATE as [string, string, string, string]

/** A desk whose receipts are seen, and changed, as by someone with access to their store. */
function createPrivateDesk(overrides = {}) {
  const memory = memoryReceipts()
  const seen: Receipt[] = []
  let change = (receipt: Receipt): Receipt => receipt
  const receipts: Receipts = {
    ...memory,
    begin: (receipt, number) => (seen.push(receipt), memory.begin(receipt, number)),
    settle: (receipt) => (seen.push(receipt), memory.settle(receipt)),
    list: async (...keys) => (await memory.list(...keys)).map((one) => change(one)),
  }
  const show = (_ctx: unknown, { accountId }: any) => text({ label: 'Account', value: accountId })
  const desk = createDesk({ summary: () => SENTENCE, show, ...overrides }, { receipts })
  const path = `/?request_type=fetch_data&organization_id=org-1&issue_id=i&requester_email=jane%40doe.example&account_id=${INPUT}`
  return { desk, path, seen, changeTo: (next: typeof change) => (change = next) }
}

test('the receipts say who did which action, and nothing of input, values, sentence and result', async () => {
  for (const run of [undefined, lost]) {
    const { desk, path, seen } = createPrivateDesk(run && { run })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await desk.confirm(await desk.open(path), { days: '7', reason: TYPED })
    // What begin() writes, and what settle() writes.
    expect(seen).toHaveLength(2)
    for (const receipt of seen) {
      expect(receipt).toMatchObject({ action: 'extend-trial', agent: AGENT })
      // The ID of the account, by which receipts are erased, is the input of this action too.
      const { account, ...others } = receipt
      expect(account).toBe(INPUT)
      const stored = JSON.stringify(others)
      for (const value of [...PRIVATE, 'jane@doe.example', 'days', SECRET]) {
        expect(stored).not.toContain(value)
      }
    }
  }
})

test('content of another receipt is not shown', async () => {
  const { desk, path, seen, changeTo } = createPrivateDesk()
  await desk.confirm(await desk.open(path))
  const { attemptId, encrypted } = seen.at(-1)!
  desk.agent = SAM
  const own = await desk.newLink('/?request_type=fetch_data&account_id=own')
  await desk.confirm(await desk.show(own))
  expect((await desk.show(own)).html).toContain(RESULT)
  changeTo((one) => (one.attemptId === attemptId ? one : { ...one, encrypted }))
  const page = await desk.show(own)
  expect(page).toMatchObject({ outcome: 'already_done' })
  expect(page.html).not.toMatch(/r3sult|Refund Jane Doe/)
})

test('a receipt that was changed is believed, runs nothing by itself, and its agent is only text', async () => {
  const { desk, path, changeTo } = createPrivateDesk({ run: lost })
  const link = await desk.newLink(path)
  await desk.confirm(await desk.show(link))
  const agent = { id: 'x', email: '<img src=x onerror=alert(1)>', groups: [] }
  for (const [state, outcome] of [
    ['done', 'already_done'],
    ['not_done', 'shown'],
    ['unknown', 'unknown'],
  ] as const) {
    changeTo((one) => ({ ...one, state, agent }))
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const page = await desk.show(link)
    expect(page.outcome).toBe(outcome)
    expect(page.html).not.toContain('<img')
    expect(page.html.includes('&lt;img')).toBe(state !== 'not_done')
  }
  expect(desk.keys).toHaveLength(1)
})
