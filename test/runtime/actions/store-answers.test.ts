import { actions, memoryReceipts, type Receipt } from 'sidecard/actions'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
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
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk, SAM } from '../../helpers/desk.ts'
import { createReceipt } from '../../helpers/receipts.ts'

const METHODS = ['begin', 'settle', 'release', 'find', 'last', 'erase'] as const

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

/** Confirms with a store that returns something else, and returns the page and the log. */
async function confirmWith(broken: object) {
  const logger = createRecordingLogger()
  const desk = createDesk({}, { receipts: { ...memoryReceipts(), ...broken } }, { logger })
  const page = await desk.confirm(await desk.open(), { days: '7', reason: 'Kept' })
  return { page, keys: desk.keys, log: JSON.stringify(logger.lines) }
}

describe('begin()', () => {
  test('that returns "expired" runs nothing, and keeps what was entered', async () => {
    const { page, keys } = await confirmWith({ begin: () => 'expired' })
    expect(page).toMatchObject({ status: 410, outcome: 'expired' })
    expect(page.html).toContain('Kept')
    expect(keys).toEqual([])
  })

  const FIELDS = ['id', 'intent', 'owner', 'state', 'idempotencyKey', 'sealed', 'startedAtMs']
  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'done'],
    ...FIELDS.map((name): [string, unknown] => [
      `a receipt without ${name}`,
      { ...createReceipt(), [name]: undefined },
    ]),
  ])('that returns %s runs nothing, and is logged', async (_, value) => {
    const { page, keys, log } = await confirmWith({ begin: () => value })
    expect(page).toMatchObject({ status: 503, outcome: 'failed' })
    expect(keys).toEqual([])
    expect(log).toContain(String.raw`begin() must return \"begun\" or a receipt.`)
  })

  const STATES = ['running', 'done', 'unknown', 'not_done'] as const
  test.each(STATES)('that returns a receipt that is %s runs nothing', async (state) => {
    const { page, keys } = await confirmWith({ begin: () => createReceipt({ state }) })
    expect(page).toMatchObject({ status: 409, outcome: 'in_progress' })
    expect(keys).toEqual([])
  })
})

test.each([
  ['last() that returns a broken receipt', { last: () => [createReceipt(), { state: 'done' }] }],
  ['last() that returns no list', { last: () => createReceipt() }],
])('%s runs nothing, and is logged', async (_, broken) => {
  const { page, keys, log } = await confirmWith(broken)
  expect(page).toMatchObject({ status: 503, outcome: 'failed' })
  expect(keys).toEqual([])
  expect(log).toContain('last() of the receipts must return a list of receipts.')
  expect(log).toContain('receipts not read')
})

test('a receipt that is written has its customer, its times, and has not ended', async () => {
  const stored: Receipt[] = []
  const memory = memoryReceipts()
  const begin = (receipt: Receipt) => (stored.push(receipt), memory.begin(receipt))
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
  const times = { startedAtMs: nowMs, changedAtMs: nowMs, linkIssuedAtMs: nowMs }
  expect(receipt).toMatchObject({ state: 'running', hasEnded: false, ...ids, ...times })
  expect(receipt).toMatchObject({ app: 'Billing', action: 'extend-trial', agent: AGENT })
  expect(receipt.keepUntilSeconds).toBe(Math.floor(nowMs / 1_000) + 30 * 86_400)
  // A receipt outlives its link by more than a day.
  const short = await confirmOnce({ keepDays: 2, expiresSeconds: 86_400 })
  const expiresAtSeconds = Math.floor(short.nowMs / 1_000) + 86_400
  expect(short.receipt.keepUntilSeconds).toBe(expiresAtSeconds + 90_000)
})

test('the receipt of a link is found behind 20 later ones of its intent', async () => {
  const desk = createDesk()
  const link = await desk.newLink()
  const page = await desk.show(link)
  await desk.confirm(page)
  const found = memoryReceipts()
  const older = (await desk.last())[0]!
  const crowded = createDesk(
    {},
    {
      receipts: {
        ...found,
        find: (id: string) => (id === older.id ? { ...older, state: 'done' } : undefined),
        last: (intent: string) => Array.from({ length: 20 }, () => createReceipt({ intent })),
      },
    },
  )
  crowded.nowMs = desk.nowMs
  expect(await crowded.show(link)).toMatchObject({ outcome: 'already_done' })
})

test('a form shows another confirmation that is running rather than a later one', async () => {
  const desk = createDesk()
  const later = createReceipt({ state: 'done', agent: SAM })
  const running = createReceipt({ startedAtMs: desk.nowMs, agent: AGENT })
  const crowded = createDesk(
    {},
    { receipts: { ...memoryReceipts(), last: () => [later, running] } },
  )
  const page = await crowded.open()
  expect(page.html).toMatch(/It is still running\./)
  expect(page.html).not.toContain('sam@acme.example')
  expect(page.seen).toBe(`${running.owner}:running`)
})

test.each<[string, () => unknown, string]>([
  ['fails', () => Promise.reject(new Error('down')), 'down'],
  [
    'returns something else',
    () => ({ state: 'done' }),
    'find() of the receipts must return a receipt or undefined.',
  ],
])('a store that %s while the agent waits leaves the page in progress', async (_, find, reason) => {
  const logger = createRecordingLogger()
  const memory = memoryReceipts()
  let end: ((_value?: unknown) => void) | undefined
  const broken = { ...memory, find: (id: string) => (end ? find() : memory.find(id)) }
  const desk = createDesk(
    { run: () => new Promise((resolve) => (end = resolve)) },
    { receipts: broken as never },
    { logger },
  )
  const link = await desk.newLink()
  const confirming = desk.confirm(await desk.show(link))
  await expect.poll(() => desk.keys).toHaveLength(1)
  expect(await desk.show(link)).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
    expect.objectContaining({ msg: 'sidecard actions', problem: 'receipt not read' }),
  )
  expect(JSON.stringify(logger.lines)).toContain(reason)
  end?.()
  expect(await confirming).toMatchObject({ outcome: 'done' })
})

test('a store that no longer has the receipt while the agent waits opens the form', async () => {
  let end = (_value?: unknown) => {}
  const run = () => new Promise((resolve) => (end = resolve))
  const find = () => null as never
  const desk = createDesk({ run }, { receipts: { ...memoryReceipts(), find } })
  const link = await desk.newLink()
  const confirming = desk.confirm(await desk.show(link))
  await expect.poll(() => desk.keys).toHaveLength(1)
  expect(await desk.show(link)).toMatchObject({ outcome: 'shown' })
  end()
  await confirming
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
  desk.nowMs += 14_000
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
