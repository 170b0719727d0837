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

const LIST = 'list() of the receipts must return a list of receipts.'
const OPTIONAL = ['app', 'action', 'organization', 'issue', 'agent', 'traceId', 'keySeed']
OPTIONAL.push('keepUntilSeconds')

/** Confirms with a store that returns something else, and returns the page and the log. */
async function confirmWith(broken: object) {
  const logger = createRecordingLogger()
  const desk = createDesk({}, { receipts: { ...memoryReceipts(), ...broken } }, { logger })
  const page = await desk.confirm(await desk.open(), { days: '7', reason: 'Kept' })
  return { page, keys: desk.keys, log: JSON.stringify(logger.lines) }
}

test.each([
  ['begin() that returns null', { begin: () => null }, 'begin() of the receipts must return'],
  ['begin() that returns a text', { begin: () => 'begun' }, 'begin() of the receipts must return'],
  ['list() that returns no list', { list: () => createReceipt() }, LIST],
  ...Object.keys(createReceipt())
    .filter((name) => !OPTIONAL.includes(name))
    .map((name): [string, object, string] => {
      const broken = { ...createReceipt(), [name]: undefined }
      return [`list() that returns a receipt without ${name}`, { list: () => [broken] }, LIST]
    }),
] as [string, object, string][])('%s runs nothing, and is logged', async (_, broken, message) => {
  const { page, keys, log } = await confirmWith(broken)
  expect(page).toMatchObject({ status: 503, outcome: 'failed' })
  expect(page.html).toContain('Kept')
  expect(keys).toEqual([])
  expect(log).toContain(message)
})

test('begin() that returns false shows the receipt of the first confirmation', async () => {
  const first = createReceipt({ state: 'done', agent: SAM, number: 1 })
  let isAsked = false
  const begin = () => !(isAsked = true)
  const list = (actionKey: string) => (isAsked ? [{ ...first, actionKey }] : [])
  const { page, keys } = await confirmWith({ begin, list })
  expect(page).toMatchObject({ outcome: 'already_done' })
  expect(page.html).toMatch(/Confirmed by sam@acme\.example[^]*/)
  expect(page.html).toContain('Kept')
  expect(keys).toEqual([])
})

test.each([
  ['keeps changing', (one: Receipt) => ({ ...one, state: 'running' }), 'receipt not written'],
  ['is something else', () => ({ state: 'done' }), 'receipt not written'],
])('a receipt that %s when run has ended is in the log', async (_, settle, problem) => {
  const logger = createRecordingLogger()
  const receipts = { ...memoryReceipts(), settle: settle as never }
  const desk = createDesk({}, { receipts }, { logger })
  const page = await desk.open()
  desk.detached = true
  const ended = await desk.confirm(page)
  expect(ended).toMatchObject({ outcome: 'done' })
  expect(ended.html).toContain(DEFAULT_ACTION_MESSAGES.notStored)
  expect(JSON.stringify(logger.lines)).toContain(problem)
})

test('a receipt that is written has its number, its customer and its times', async () => {
  const stored: Receipt[] = []
  const memory = memoryReceipts()
  const begin = (receipt: Receipt, number: number) => {
    stored.push(receipt)
    return memory.begin(receipt, number)
  }
  const confirmOnce = async (options: object) => {
    const desk = createDesk({}, { receipts: { ...memory, begin }, ...options })
    await desk.confirm(
      await desk.show(
        await desk.newLink(
          '/?request_type=fetch_data&organization_id=o&account_id=a&requester_id=r&issue_id=i',
        ),
      ),
    )
    return { receipt: stored.at(-1)!, nowMs: desk.nowMs }
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

test.each<[string, () => unknown, string]>([
  ['fails', () => Promise.reject(new Error('down')), 'down'],
  [
    'returns something else',
    () => ({ state: 'done' }),
    'list() of the receipts must return a list of receipts.',
  ],
])('a store that %s while the agent waits leaves the page in progress', async (_, list, reason) => {
  const logger = createRecordingLogger()
  const memory = memoryReceipts()
  let end: ((_value?: unknown) => void) | undefined
  let isBroken = false
  let lists = 0
  const broken = {
    ...memory,
    list: (...keys: [string, string]) => {
      lists += 1
      return isBroken ? list() : memory.list(...keys)
    },
  }
  const desk = createDesk(
    { run: () => new Promise((resolve) => (end = resolve)) },
    { receipts: broken as never },
    { logger },
  )
  const link = await desk.newLink()
  const confirming = desk.confirm(await desk.show(link))
  await expect.poll(() => desk.keys).toHaveLength(1)
  const shown = desk.show(link)
  await expect.poll(() => lists).toBeGreaterThan(3)
  isBroken = true
  expect(await shown).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ msg: 'sidecard actions', problem: 'receipt not read' }),
  )
  expect(JSON.stringify(logger.lines)).toContain(reason)
  end?.()
  expect(await confirming).toMatchObject({ outcome: 'done' })
})

test('a confirmation counts as running for its time limit and five seconds more', async () => {
  let end = (_value?: unknown) => {}
  const desk = createDesk({
    run: () => new Promise((resolve) => (end = resolve)),
    timeoutMs: 9_000,
  })
  const link = await desk.newLink()
  const confirming = desk.confirm(await desk.show(link))
  await expect.poll(() => desk.keys).toHaveLength(1)
  desk.agent = SAM
  desk.nowMs += 13_999
  expect(await desk.show(link)).toMatchObject({ outcome: 'in_progress' })
  desk.nowMs += 1
  expect(await desk.show(link)).toMatchObject({ outcome: 'unknown' })
  end()
  await confirming
})

test('receipts are created once for each environment', async () => {
  const created: unknown[] = []
  const receipts = (env: unknown) => (created.push(env), memoryReceipts())
  const app = createActionApp(undefined, { receipts })
  const [one, two] = [{ one: 1 }, { two: 2 }]
  for (const env of [one, one, two]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const [link] = await readLinks(app, undefined, env)
    // oxlint-disable-next-line no-await-in-loop -- as above
    const page = await openPage(app, link!, {}, env)
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await confirmPage(app, page, undefined, undefined, env)).toMatchObject({
      outcome: 'done',
    })
  }
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
