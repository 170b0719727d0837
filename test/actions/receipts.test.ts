import { audit, text } from 'sidecard'
import { ActionError, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../src/actions/messages.ts'
import { AGENT } from '../helpers/actions.ts'
import { createRecordingLogger } from '../helpers/app.ts'
import { createDesk, SAM } from '../helpers/desk.ts'

const lost = () => Promise.reject(new Error('lost reply'))

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

describe('reconcile', () => {
  const OVER = 40_000

  test('finds out that it was done', async () => {
    const asked: any[] = []
    const reconcile = (ctx: any, input: any, receipt: any) => {
      asked.push([ctx.idempotencyKey, input, receipt])
      return 'done'
    }
    const desk = createDesk({ run: lost, reconcile })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    const page = await desk.show(link)
    expect(page).toMatchObject({ outcome: 'already_done', heading: 'Done' })
    expect(page.html).toContain('Checked: ')
    const [[key, input, receipt]] = asked
    expect(key).toBe(desk.keys[0])
    expect(input).toEqual({ accountId: 'account-1' })
    expect(receipt).toMatchObject({ idempotencyKey: key, values: { days: 7 }, agent: AGENT })
    expect(desk.records.map(({ outcome }) => outcome)).toContain('reconciled_done')
  })

  test('"not done" counts only when nothing can arrive any more', async () => {
    const once = () => 'intent'
    const run = () => new Promise(() => undefined)
    const desk = createDesk({ run, once, timeoutMs: 20, reconcile: () => 'not_done' })
    await desk.confirm(await desk.open())
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
    desk.nowMs += OVER
    expect(await desk.open()).toMatchObject({ outcome: 'shown' })
    expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'unknown' })
    expect(desk.keys[1]).toBe(desk.keys[0])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('x'))],
    ['returns something else', () => 'maybe'],
    ['hangs', () => new Promise(() => undefined)],
  ])('that %s changes nothing', async (_name, reconcile) => {
    const desk = createDesk({ run: lost, reconcile })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    expect(await desk.show(link)).toMatchObject({ outcome: 'unknown' })
  })

  test('is asked at most every ten seconds, and only for an agent whom allow accepts', async () => {
    let asked = 0
    let isAllowed = true
    const reconcile = () => ((asked += 1), 'unknown')
    const allow = (_ctx: any, _input: any, values: any) => values === undefined || isAllowed
    const desk = createDesk({ run: lost, reconcile, allow })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    for (const waitedMs of [0, 9_999, 1]) {
      desk.nowMs += waitedMs
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await desk.show(link)
    }
    expect(asked).toBe(2)
    isAllowed = false
    desk.nowMs += 20_000
    await desk.show(link)
    expect(asked).toBe(2)
  })
})

describe('resolve', () => {
  const resolve = (ctx: any) => ctx.agent?.id === SAM.id
  const once = () => 'intent'

  test('an agent whom it accepts states that it was done, and everyone sees it', async () => {
    const desk = createDesk({ run: lost, resolve })
    const link = await desk.newLink()
    const page = await desk.confirm(await desk.show(link))
    expect(page.html).not.toContain('It was done')
    desk.agent = SAM
    const unknown = await desk.show(link)
    expect(unknown.html).toContain('It was not done')
    const done = await desk.confirm(unknown, { resolve: 'done' })
    expect(done).toMatchObject({ outcome: 'already_done' })
    expect(done.html).toMatch(/Checked by sam@acme\.example: /)
    expect(desk.records.map(({ outcome }) => outcome)).toContain('resolved_done')
    expect((await desk.open()).html).toContain('Last done')
  })

  test('"it was not done" counts once run has ended, and the intent is free again', async () => {
    const desk = createDesk({ run: lost, resolve: () => true, once })
    const unknown = await desk.confirm(await desk.open())
    expect(await desk.confirm(unknown, { resolve: 'not_done' })).toMatchObject({ outcome: 'shown' })
    const hanging = createDesk({
      run: () => new Promise(() => undefined),
      timeoutMs: 20,
      resolve: () => true,
      once,
    })
    const early = await hanging.confirm(await hanging.open())
    const rejected = await hanging.confirm(early, { resolve: 'not_done' })
    expect(rejected.html).toContain('It may still be done.')
    hanging.nowMs += 40
    expect(await hanging.confirm(early, { resolve: 'not_done' })).toMatchObject({
      outcome: 'unknown',
    })
    hanging.nowMs += 1
    const later = await hanging.confirm(early, { resolve: 'not_done' })
    expect(later).toMatchObject({ outcome: 'shown' })
  })

  test('other agents, forms of other pages and other states resolve nothing', async () => {
    const desk = createDesk({ run: lost, resolve, once })
    const page = await desk.open()
    await desk.confirm(page)
    const [{ owner } = { owner: '' }] = await desk.last()
    const form = { ...page, seen: `${owner}:unknown` }
    const denied = await desk.confirm(form, { resolve: 'done' })
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(denied.html).toContain(DEFAULT_ACTION_MESSAGES.forbiddenAnyone)
    desk.agent = SAM
    const others = { ...(await desk.open()), seen: 'other:unknown' }
    expect(await desk.confirm(form, { resolve: 'done' })).toMatchObject({ outcome: 'forbidden' })
    expect(await desk.confirm(others, { resolve: 'done' })).toMatchObject({ outcome: 'unknown' })
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
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
