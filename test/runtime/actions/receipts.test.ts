import { audit, text } from 'sidecard'
import { ActionError, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { AGENT } from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk, lost, SAM } from '../../helpers/desk.ts'

test('every link of an intent shows who did it last, and when', async () => {
  const desk = createDesk()
  await desk.confirm(await desk.open())
  desk.agent = SAM
  const page = await desk.open()
  expect(page.html).toMatch(/Last done: [\d-]+ [\d:]+ UTC by robin@acme\.example\./)
  expect(page.html).not.toContain('name="checked"')
  expect(page.html).not.toContain('r3sult')
  const other = await desk.show(
    await desk.newLink('/?request_type=fetch_data&organization_id=org-2&account_id=account-1'),
  )
  expect(other.html).not.toContain('Last done')
})

test('after an unknown outcome, the form asks for a tick and keeps what was entered', async () => {
  const desk = createDesk({ run: lost })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'unknown' })
  const page = await desk.open()
  expect(page.html).toContain('It is not known whether it was done.')
  const unticked = await desk.confirm(page, { days: '9', reason: 'Again <b>' })
  expect(unticked).toMatchObject({ status: 422, outcome: 'invalid' })
  expect(unticked.html).toMatch(/value="9"[^]*Again &lt;b>|value="9"[^]*Again &lt;b&gt;/)
  expect(desk.keys).toHaveLength(1)
  await desk.confirm(unticked, { days: '9', checked: 'on' })
  expect(desk.keys).toHaveLength(2)
})

test('a tick does not count for what happened after the page was opened', async () => {
  let end = (_value?: unknown) => {}
  const desk = createDesk({ run: () => new Promise((resolve) => (end = resolve)) })
  const [one, two] = [await desk.open(), await desk.open()]
  const running = desk.confirm(one)
  await expect.poll(() => desk.keys).toHaveLength(1)
  const late = await desk.confirm(two, { days: '7', checked: 'on' })
  expect(late).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(late.html).toContain('It is still running.')
  expect(desk.keys).toHaveLength(1)
  end()
  expect(await running).toMatchObject({ outcome: 'done' })
  expect(await desk.confirm(late, { days: '7', checked: 'on' })).toMatchObject({ status: 409 })
  expect(desk.keys).toHaveLength(1)
})

test('the time of what was done is the one of its end, and of the rest that of the start', async () => {
  const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
  let isKnown = false
  const reconcile = () => (isKnown ? 'done' : 'unknown')
  const desk = createDesk({ run: lost, reconcile })
  const startedAtMs = desk.nowMs
  await desk.confirm(await desk.open())
  desk.nowMs += 3_600_000
  expect((await desk.open()).html).toContain(minute(startedAtMs))
  isKnown = true
  desk.nowMs += 3_600_000
  expect((await desk.open()).html).toContain(`Last done: ${minute(desk.nowMs)}`)
})

test('what is done is not checked again, and nobody can say that it was not done', async () => {
  let asked = 0
  const reconcile = () => ((asked += 1), 'done')
  const desk = createDesk({ reconcile, resolve: () => true })
  const link = await desk.newLink()
  await desk.confirm(await desk.show(link))
  desk.nowMs += 60_000
  for (const page of [await desk.show(link), await desk.open()]) {
    expect(page.html).not.toContain('It was not done')
  }
  expect(asked).toBe(0)
})

test('of many links that are confirmed at the same time, one runs', async () => {
  const desk = createDesk()
  const pages = await Promise.all(Array.from({ length: 20 }, () => desk.open()))
  const results = await Promise.all(pages.map((page) => desk.confirm(page)))
  expect(results.filter(({ outcome }) => outcome === 'done')).toHaveLength(1)
  expect(desk.keys).toHaveLength(1)
  expect(await desk.last()).toHaveLength(1)
})

test('the agent who confirmed waits for the result, and another one sees who it was', async () => {
  let end = (_value?: unknown) => {}
  const desk = createDesk({ run: () => new Promise((resolve) => (end = resolve)) })
  const link = await desk.newLink()
  const page = await desk.show(link)
  const clicks = [desk.confirm(page), desk.confirm(page)]
  await expect.poll(() => desk.keys).toHaveLength(1)
  desk.agent = SAM
  const other = await desk.show(link)
  expect(other).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(other.html).toContain('Confirmed by robin@acme.example')
  expect(other.html).toContain(`href="/sidebar/actions?t=`)
  desk.agent = AGENT
  clicks.push(desk.show(link))
  end(text({ label: 'Result', value: 'r3sult' }))
  const shown = await Promise.all(clicks)
  expect(new Set(shown.map(({ html }) => html)).size).toBe(1)
  expect(shown[0]!.html).toContain('r3sult')
  expect(desk.keys).toHaveLength(1)
})

describe('the idempotency key', () => {
  test('belongs to the intent and its values until they are done', async () => {
    let run: () => unknown = lost
    const desk = createDesk({ run: () => run() })
    await desk.confirm(await desk.open())
    await desk.confirm(await desk.open(), { days: '7', checked: 'on' })
    await desk.confirm(await desk.open(), { days: '8', checked: 'on' })
    desk.nowMs += 8 * 86_400_000
    await desk.confirm(await desk.open(), { days: '7', checked: 'on' })
    run = () => undefined
    await desk.confirm(await desk.open(), { days: '7', checked: 'on' })
    await desk.confirm(await desk.open(), { days: '7' })
    const [first, again, others, later, done, next] = desk.keys
    expect(first).toBeTruthy()
    expect([again, later, done]).toEqual([first, first, first])
    expect(new Set([first, others, next]).size).toBe(3)
  })

  test('stays the same after an ActionError', async () => {
    const desk = createDesk({ run: () => Promise.reject(new ActionError('Busy.')) })
    const page = await desk.confirm(await desk.open())
    await desk.confirm(page)
    expect(desk.keys[0]).toBe(desk.keys[1])
  })
})

describe('a run that ends late', () => {
  test.each([
    [
      'returns',
      (resolve: any) => resolve(text({ label: 'Result', value: 'r3sult' })),
      'already_done',
    ],
    ['rejects', (_: any, reject: any) => reject(new ActionError('No.')), 'shown'],
    ['fails', (_: any, reject: any) => reject(new Error('x')), 'unknown'],
  ])('and %s settles its receipt', async (_name, end, outcome) => {
    const ends: (() => void)[] = []
    const run = () => new Promise((resolve, reject) => ends.push(() => end(resolve, reject)))
    const desk = createDesk({ run, timeoutMs: 400 })
    const link = await desk.newLink()
    const confirming = desk.confirm(await desk.show(link))
    await expect.poll(() => desk.records.some((one) => one.outcome === 'unknown')).toBe(true)
    ends[0]!()
    expect(await confirming).toMatchObject({ status: 504, outcome: 'unknown' })
    expect(await desk.show(link)).toMatchObject({ outcome })
    expect(['done', 'refused', 'unknown']).toContain(desk.records.at(-2)!.outcome)
  })
})

test('one allow guards every route that can act', async () => {
  const calls: unknown[] = []
  const acted: string[] = []
  let isAllowed = true
  const desk = createDesk({
    run: () => (acted.push('run'), lost()),
    reconcile: () => (acted.push('reconcile'), 'unknown'),
    resolve: () => (acted.push('resolve'), true),
    allow: (_ctx: any, _input: any, values: any) => (calls.push(values), isAllowed),
  })
  // Middleware, the endpoint with and without a slash, which only answers with data, and the page.
  // Its form confirms or resolves, and both methods reconcile.
  const routes = desk.app.routes.map(({ method, path }: any) => `${method} ${path}`)
  expect([...new Set(routes)].toSorted()).toEqual([
    'ALL /',
    'ALL /*',
    'ALL /:slash{$}',
    'ALL /actions',
  ])
  const link = await desk.newLink()
  const page = await desk.show(link)
  isAllowed = false
  expect(await desk.confirm(page)).toMatchObject({ status: 403 })
  expect(acted).toEqual([])
  isAllowed = true
  await desk.confirm(page)
  expect(calls).toContainEqual({ days: 7, reason: undefined })
  const unknown = await desk.show(link)
  isAllowed = false
  desk.nowMs += 60_000
  acted.length = 0
  for (const send of [
    () => desk.show(link),
    () => desk.confirm(page),
    () => desk.confirm(unknown, { resolve: 'done' }),
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect(await send()).toMatchObject({ status: 403, outcome: 'forbidden' })
  }
  expect(acted).toEqual([])
})

test('allow sees the values, and a rejection keeps what was entered', async () => {
  const allow = (ctx: any, _input: any, values: any) =>
    (values?.days ?? 0) <= 14 || ctx.agent.groups.includes('leads')
  const desk = createDesk({ allow })
  const page = await desk.open()
  const rejected = await desk.confirm(page, { days: '20', reason: 'Please' })
  expect(rejected).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(rejected.html).toMatch(/value="20"[^]*Please/)
  desk.agent = { ...AGENT, groups: ['leads'] }
  expect(await desk.confirm(rejected, { days: '20' })).toMatchObject({ outcome: 'done' })
})

describe('the audit', () => {
  const describeIt = {
    confirm: (_input: any, { days }: any) => `Extend by ${days} days`,
    audit: ({ accountId }: any, { days }: any) => ({ accountId, days }),
  }

  test('has a record before run, with the sentence and what audit returns', async () => {
    const before: unknown[] = []
    const desk = createDesk({
      ...describeIt,
      run: () => void before.push(...desk.records.flatMap(({ outcome }) => outcome ?? [])),
    })
    const done = await desk.confirm(await desk.open())
    expect(before).toEqual(['shown', 'started'])
    const part = { sentence: 'Extend by 7 days', details: { accountId: 'account-1', days: 7 } }
    expect(desk.records.at(-2)).toMatchObject({ outcome: 'started', agent: AGENT, ...part })
    expect(desk.records.at(-1)).toMatchObject({ outcome: 'done', ...part })
    expect(done.html).toContain('<p class="sentence">Extend by 7 days</p>')
  })

  test('with requireAudit, nothing runs without it', async () => {
    const instrument = audit((record) => {
      if (record.outcome === 'started') throw new Error('audit store is down')
    })
    const logger = createRecordingLogger()
    const desk = createDesk({}, { requireAudit: true }, { instrument, logger })
    const page = await desk.open()
    const failed = await desk.confirm(page, { days: '7', reason: 'Kept' })
    expect(failed).toMatchObject({ status: 503, outcome: 'failed' })
    expect(failed.html).toContain('Kept')
    expect(desk.keys).toEqual([])
    expect(() => createDesk({}, { requireAudit: true }, { instrument: [] })).toThrow('requireAudit')
    const optional = createDesk({}, {}, { instrument, logger })
    logger.lines.length = 0
    expect(await optional.confirm(await optional.open())).toMatchObject({ outcome: 'done' })
    expect(logger.lines.map(({ fields }) => fields)).toContainEqual(
      expect.objectContaining({ msg: 'sidecard instrument', error: expect.anything() }),
    )
  })
})

describe('a rotation of secrets', () => {
  const OLD = 'the-old-secret-of-more-than-32-characters'
  const NEW = 'the-new-secret-of-more-than-32-characters'

  test('does not hide what was done, and keeps the content with the old one in the list', async () => {
    const receipts = memoryReceipts()
    let secret = [OLD]
    const desk = createDesk({ run: lost }, { receipts, secret: () => secret })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    secret = [NEW]
    const page = await desk.open()
    expect(page.html).toContain('It is not known whether it was done.')
    expect(page.html).toContain('name="checked"')
    await desk.confirm(page, { days: '7', checked: 'on' })
    expect(desk.keys[1]).toBe(desk.keys[0])
  })

  test('with a separate secret, receipts stay readable', async () => {
    let secret = OLD
    const options = { secret: () => [secret, 'x'.repeat(40)], receiptSecret: 'r'.repeat(40) }
    const desk = createDesk({ once: () => 'intent' }, options)
    await desk.confirm(await desk.open())
    secret = NEW
    const page = await desk.open()
    expect(page).toMatchObject({ outcome: 'already_done', heading: 'Already done' })
    expect(page.html).toContain('r3sult')
  })
})

test('a store sees neither the input nor values, sentence or result', async () => {
  const receipts = memoryReceipts()
  const all: unknown[] = []
  const spied = { ...receipts, settle: (one: any) => (all.push(one), receipts.settle(one)) }
  const other = createDesk({ confirm: () => 's3ntence' }, { receipts: spied })
  await other.confirm(await other.open(), { days: '7', reason: 'r3ason' })
  const stored = JSON.stringify(all)
  expect(stored).toContain('robin@acme.example')
  for (const value of ['account-1"', 's3ntence', 'r3ason', 'r3sult']) {
    expect(stored.replace('"account":"account-1"', '')).not.toContain(value)
  }
})
