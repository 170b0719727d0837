import { actions, memoryReceipts, type Receipt } from 'sidecard/actions'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  AGENT,
  confirmPage,
  createActionApp,
  createExtendTrial,
  localPath,
  openPage,
  readLinks,
  readPage,
  SECRET,
} from '../../helpers/actions.ts'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk, SAM } from '../../helpers/desk.ts'
import { createReceipt } from '../../helpers/receipts.ts'

const METHODS = ['begin', 'settle', 'list', 'erase'] as const

test.each(METHODS)('receipts without %s() are rejected', async (name) => {
  const receipts = { ...memoryReceipts(), [name]: undefined }
  const valid = { list: [createExtendTrial()], secret: SECRET, signIn: () => AGENT }
  expect(() => actions({ ...valid, receipts })).toThrow('actions: receipts must be receipts')
  const logger = createRecordingLogger()
  const app = createActionApp(undefined, { receipts: () => receipts }, { logger })
  const [link] = await readLinks(app)
  expect(await openPage(app, link!)).toMatchObject({ status: 503, outcome: 'failed' })
  expect(JSON.stringify(logger.lines)).toContain('The option receipts did not return receipts.')
})

const BEGIN = 'begin() of the receipts must return'
const LIST = 'list() of the receipts must return a list of receipts.'
const OPTIONAL = new Set('app action organization issue agent traceId keySeed'.split(' '))
OPTIONAL.add('keepUntilSeconds')
const required = Object.keys(createReceipt()).filter((name) => !OPTIONAL.has(name))

/** Confirms with a store that returns something else. */
async function confirmWith(broken: object) {
  const desk = createDesk({}, { receipts: { ...memoryReceipts(), ...broken } })
  const page = await desk.confirm(await desk.open(), { days: '7', reason: 'Kept' })
  expect(page.html).toContain('Kept')
  expect(desk.keys).toEqual([])
  return { page, log: desk.log() }
}

test.each<[string, object, string]>([
  ['begin() that returns null', { begin: () => null }, BEGIN],
  ['begin() that returns a text', { begin: () => 'begun' }, BEGIN],
  ['list() that returns no list', { list: () => createReceipt() }, LIST],
  ...required.map((name): [string, object, string] => {
    const broken = { ...createReceipt(), [name]: undefined }
    return [`list() that returns a receipt without ${name}`, { list: () => [broken] }, LIST]
  }),
])('%s runs nothing, and is logged', async (_, broken, message) => {
  const { page, log } = await confirmWith(broken)
  expect(page).toMatchObject({ status: 503, outcome: 'failed' })
  expect(log).toContain(message)
})

test('begin() that returns false shows the receipt of the first confirmation', async () => {
  const first = createReceipt({ state: 'done', agent: SAM, number: 1 })
  let isAsked = false
  const begin = () => !(isAsked = true)
  const list = (actionKey: string) => (isAsked ? [{ ...first, actionKey }] : [])
  const { page } = await confirmWith({ begin, list })
  expect(page).toMatchObject({ outcome: 'already_done' })
  expect(page.html).toContain('Confirmed by sam@acme.example')
})

test.each([
  ['keeps changing', (one: Receipt) => ({ ...one, state: 'running' })],
  ['is something else', () => ({ state: 'done' })],
])('a receipt that %s when run has ended is in the log', async (_, settle) => {
  const desk = createDesk({}, { receipts: { ...memoryReceipts(), settle } })
  const page = await desk.open()
  desk.detached = true
  const ended = await desk.confirm(page)
  expect(ended).toMatchObject({ outcome: 'done' })
  expect(ended.html).toContain(DEFAULT_ACTION_MESSAGES.notStored)
  expect(desk.problems()).toContain('receipt not written')
})

test('a receipt that is written has its number, its customer and its times', async () => {
  const path = '/?request_type=fetch_data&organization_id=o&account_id=a&requester_id=r&issue_id=i'
  const confirmOnce = async (options: object) => {
    const desk = createDesk({}, options)
    await desk.confirm(await desk.open(path))
    return { receipt: desk.begun[0]!, nowMs: desk.nowMs }
  }
  const { receipt, nowMs } = await confirmOnce({})
  const ids = { organization: 'o', account: 'a', requester: 'r', issue: 'i' }
  const times = { startedAtMs: nowMs, changedAtMs: nowMs, dueAtMs: nowMs + 20_000 }
  expect(receipt).toMatchObject({ state: 'running', number: 1, revision: 0, ...ids, ...times })
  expect(receipt.settlesAtMs).toBe(nowMs + 80_000)
  expect(receipt).toMatchObject({ app: 'Billing', action: 'extend-trial', agent: AGENT })
  expect(receipt.keepUntilSeconds).toBe(Math.floor(nowMs / 1_000) + 30 * 86_400)
  // A receipt outlives its link by more than a day.
  const short = await confirmOnce({ keepDays: 2, expiresSeconds: 86_400 })
  const expiresAtSeconds = Math.floor(short.nowMs / 1_000) + 86_400
  expect(short.receipt.keepUntilSeconds).toBe(expiresAtSeconds + 90_000)
})

test('receipts are created once for each environment', async () => {
  const created: unknown[] = []
  const receipts = (env: unknown) => (created.push(env), memoryReceipts())
  const app = createActionApp(undefined, { receipts })
  const [one, two] = [{ one: 1 }, { two: 2 }]
  const confirm = async (env: object) => {
    const [link] = await readLinks(app, undefined, env)
    const page = await openPage(app, link!, {}, env)
    return (await confirmPage(app, page, undefined, undefined, env)).outcome
  }
  expect([await confirm(one), await confirm(one), await confirm(two)]).toEqual(
    Array(3).fill('done'),
  )
  expect(created).toEqual([one, two])
})

test('memoryReceipts() runs on Workers only in tests', async () => {
  const logger = createRecordingLogger()
  const app = createActionApp(undefined, {}, { logger })
  const [link] = await readLinks(app)
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await openPage(app, link!)).toMatchObject({ outcome: 'shown' })
  const page = await readPage(await app.request(localPath(link!)))
  expect(page).toMatchObject({ status: 503, outcome: 'failed' })
  expect(JSON.stringify(logger.lines)).toContain(
    'memoryReceipts() cannot run on Workers. Use d1Receipts() or postgresReceipts().',
  )
  vi.stubGlobal('navigator', { userAgent: 'Node.js/24' })
  const [other] = await readLinks(app)
  expect([200, 410]).toContain((await app.request(localPath(other!))).status)
})
