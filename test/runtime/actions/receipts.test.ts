import { audit, text } from 'sidecard'
import { ActionError, memoryReceipts } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { AGENT } from '../../helpers/actions.ts'
import { FETCH_DATA } from '../../helpers/app.ts'
import { createDesk, createPendingRun, lost, SAM } from '../../helpers/desk.ts'
import { next } from '../../helpers/receipts.ts'

const LAST_DONE = /Last done: [^(]+ \([\d-]+ [\d:]+ UTC\) by robin@acme\.example\./

test('every link of an action shows who did it last, and when', async () => {
  const desk = createDesk()
  await desk.confirm(await desk.open())
  desk.agent = SAM
  const page = await desk.open()
  expect(page.html).toMatch(LAST_DONE)
  expect(page.html).not.toContain('r3sult')
  const other = await desk.open(FETCH_DATA.replace('org-1', 'org-2'))
  expect(other.html).not.toContain('Last done')
})

test('the second of two agents who see the same form reads that something has changed', async () => {
  const desk = createDesk()
  const mine = await desk.open()
  desk.agent = SAM
  const late = await desk.open()
  desk.agent = AGENT
  await desk.confirm(mine)
  desk.agent = SAM
  const changed = await desk.confirm(late, { days: '9', reason: 'Kept' })
  expect(changed).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(changed.html).toMatch(/Something has changed[^]*value="9"[^]*Kept/)
  expect(changed.html).toMatch(LAST_DONE)
  expect(desk.keys).toHaveLength(1)
  expect(await desk.confirm(changed, { days: '9' })).toMatchObject({ outcome: 'done' })
  expect(desk.begun.map(({ number }) => number)).toEqual([1, 2])
})

test('a form no longer counts after an earlier confirmation has turned out to be done', async () => {
  const { run, end } = createPendingRun()
  const desk = createDesk({ run, timeoutMs: 20, lateMs: 0 })
  const confirming = desk.confirm(await desk.open())
  await expect.poll(() => desk.outcomes()).toContain('unknown')
  const unknown = await desk.last()
  await desk.store.settle(next(unknown, { state: 'not_done', setBy: true }))
  const page = await desk.open()
  expect(page.html).toContain('The last confirmation did not go through.')
  end()
  await confirming
  await expect.poll(async () => (await desk.last()).state).toBe('done')
  expect(await desk.confirm(page)).toMatchObject({ status: 409, outcome: 'in_progress' })
  expect(desk.keys).toHaveLength(1)
})

test('the page shows when lookUp found that the action was done, and calls it only once', async () => {
  let asked = 0
  const desk = createDesk({ run: lost, lookUp: () => ((asked += 1), 'done') })
  const link = await desk.newLink()
  await desk.confirm(await desk.show(link))
  desk.nowMs += 1_800_000
  const minute = new Date(desk.nowMs).toISOString().slice(0, 16).replace('T', ' ')
  expect((await desk.open()).html).toContain(minute)
  desk.nowMs += 600_000
  expect(await desk.show(link)).toMatchObject({ outcome: 'already_done' })
  expect((await desk.show(link)).html).not.toContain('It did not go through')
  expect((await desk.open()).html).toContain(minute)
  expect(asked).toBe(1)
})

test('after keepDays, what was done no longer counts, and its number stays taken', async () => {
  const desk = createDesk({ uniqueKey: () => 'intent' }, { keepDays: 2 })
  await desk.confirm(await desk.open())
  desk.nowMs += 2 * 86_400_000 - 1_000
  expect(await desk.open()).toMatchObject({ outcome: 'already_done' })
  desk.nowMs += 1_000
  const page = await desk.open()
  expect(page).toMatchObject({ outcome: 'shown' })
  expect(page.html).not.toContain('Last done')
  expect(await desk.confirm(page)).toMatchObject({ outcome: 'done' })
  expect(desk.begun.map(({ number }) => number)).toEqual([1, 2])
})

test('an erased receipt says nothing about the agent, and its link does not run again', async () => {
  const desk = createDesk({ summary: () => 'Extend it' })
  const link = await desk.newLink()
  const form = await desk.show(link)
  await desk.confirm(form)
  expect(await desk.store.erase({ account: 'account-1' })).toBe(1)
  const page = await desk.show(link)
  expect(page).toMatchObject({ outcome: 'already_done' })
  expect(page.html).not.toMatch(/Confirmed by|Extend it|r3sult/)
  expect((await desk.open()).html).toMatch(/Last done: [^(]+ \([\d-]+ [\d:]+ UTC\)\./)
  expect(await desk.confirm(form)).toMatchObject({ outcome: 'already_done' })
  expect(desk.keys).toHaveLength(1)
})

test.each([
  ['without', undefined, ['already_done', 'in_progress']],
  ['with', (_input: unknown, ids: any) => `issue ${ids.issue_id}`, ['already_done']],
])('of 20 links that are confirmed at once, one runs, %s a uniqueKey', async (...row) => {
  const [, uniqueKey, allowed] = row
  const desk = createDesk({ ...(uniqueKey && { uniqueKey }) })
  const pages = await Promise.all(Array.from({ length: 20 }, () => desk.open()))
  const results = await Promise.all(pages.map((page) => desk.confirm(page)))
  const outcomes = results.map(({ outcome }) => outcome)
  // The others get its receipt, or the form again if it was done before they read the receipts.
  const others = outcomes.toSpliced(outcomes.indexOf('done'), 1)
  expect(allowed).toEqual(expect.arrayContaining(others))
  const outcome = uniqueKey === undefined ? 'shown' : 'already_done'
  expect(await desk.open()).toMatchObject({ outcome })
  const other = FETCH_DATA.replace('issue-1', 'issue-2')
  expect(await desk.open(other)).toMatchObject({ outcome: 'shown' })
  expect(desk.keys).toHaveLength(1)
})

test('an agent who waited for a confirmation that did nothing has the form again', async () => {
  const { run, fail } = createPendingRun()
  const desk = createDesk({ run })
  const link = await desk.newLink()
  const first = desk.confirm(await desk.show(link))
  await expect.poll(() => desk.keys).toHaveLength(1)
  const second = desk.show(link)
  fail(new ActionError('Not now.'))
  expect(await first).toMatchObject({ outcome: 'refused' })
  expect(await second).toMatchObject({ outcome: 'shown', status: 200 })
})

test('the agent who confirmed waits for the result through any link, and others see who it was', async () => {
  const { run, end } = createPendingRun()
  const desk = createDesk({ run })
  const link = await desk.newLink()
  const page = await desk.show(link)
  desk.agent = SAM
  const late = await desk.open()
  desk.agent = AGENT
  const clicks = [desk.confirm(page), desk.confirm(page)]
  await expect.poll(() => desk.keys).toHaveLength(1)
  desk.agent = SAM
  for (const other of [
    await desk.show(link),
    await desk.open(),
    await desk.confirm(late, { days: '9', reason: 'Kept' }),
  ]) {
    expect(other).toMatchObject({ status: 409, outcome: 'in_progress' })
    expect(other.html).toContain('Confirmed by robin@acme.example')
    expect(other.html).toContain(`href="/sidebar/actions?t=`)
    expect(other.html).not.toContain('name="field-days"')
  }
  desk.agent = AGENT
  clicks.push(desk.show(link))
  const elsewhere = desk.open()
  end(text({ label: 'Result', value: 'r3sult' }))
  const shown = await Promise.all(clicks)
  for (const { html } of shown) expect(html).toBe(shown[0]!.html)
  expect(shown[0]!.html).toContain('r3sult')
  expect((await elsewhere).html).toContain('Last done')
  expect(desk.keys).toHaveLength(1)
})

describe('the idempotency key', () => {
  /** Confirms the values one after the other, and states after each that nothing was done. */
  async function listKeys(overrides: object, ...values: Array<Record<string, string>>) {
    const desk = createDesk({ run: lost, lookUp: () => 'not_done', ...overrides })
    for (const each of values) {
      desk.nowMs += 100_000
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await desk.confirm(await desk.open(), each)
    }
    return desk.keys.map((key) => desk.keys.indexOf(key))
  }

  test('stays the same for equal values after "not done", however often', async () => {
    const [seven, eight] = [{ days: '7' }, { days: '8' }]
    const reason = { days: '7', reason: 'x' }
    expect(await listKeys({}, seven, seven, eight, reason, seven)).toEqual([0, 0, 2, 3, 0])
  })

  test.each([
    ['an ActionError', () => Promise.reject(new ActionError('Busy.')), 'refused'],
    ['a success', () => undefined, 'done'],
  ])('is new after %s', async (_, run, outcome) => {
    const desk = createDesk({ run })
    const form = await desk.open()
    expect(await desk.confirm(form)).toMatchObject({ outcome })
    await desk.confirm(await desk.open())
    expect(new Set(desk.keys).size).toBe(2)
  })

  test('covers the input, even if uniqueKey does not', async () => {
    const desk = createDesk({ run: lost, uniqueKey: () => 'intent', lookUp: () => 'not_done' })
    await desk.confirm(await desk.open())
    desk.nowMs += 100_000
    await desk.confirm(await desk.open(FETCH_DATA.replace('account-1', 'account-2')))
    const [one, two] = desk.begun
    expect([one!.actionKey, two!.number]).toEqual([two!.actionKey, 2])
    expect(desk.keys[0]).not.toBe(desk.keys[1])
  })
})

test('authorize guards every route that can act', async () => {
  const acted: string[] = []
  let isAllowed = true
  const desk = createDesk({
    run: () => (acted.push('run'), lost()),
    lookUp: () => (acted.push('lookUp'), 'unknown'),
    canSetOutcome: () => (acted.push('canSetOutcome'), true),
    authorize: () => isAllowed,
  })
  // Middleware, the endpoint with and without a slash, and the page, which has no other routes.
  const routes = desk.app.routes.map(({ method, path }: any) => `${method} ${path}`)
  const all = ['ALL /', 'ALL /*', 'ALL /:slash{$}', 'ALL /actions']
  expect([...new Set(routes)].toSorted()).toEqual(all)
  const link = await desk.newLink()
  const page = await desk.show(link)
  const unknown = await desk.confirm(page)
  isAllowed = false
  desk.nowMs += 60_000
  acted.length = 0
  const stated = await desk.confirm(unknown, { resolve: 'done' })
  for (const denied of [await desk.show(link), await desk.confirm(page), stated]) {
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
  }
  expect(acted).toEqual([])
})

test('authorize sees the values, and a rejection keeps what was entered', async () => {
  const allow = (ctx: any, _input: any, values: any) =>
    (values?.days ?? 0) <= 14 || ctx.agent.groups.includes('leads')
  const desk = createDesk({ authorize: allow })
  const page = await desk.open()
  const rejected = await desk.confirm(page, { days: '20', reason: 'Please' })
  expect(rejected).toMatchObject({ status: 403, outcome: 'forbidden' })
  expect(rejected.html).toMatch(/value="20"[^]*Please/)
  desk.agent = { ...AGENT, groups: ['leads'] }
  expect(await desk.confirm(rejected, { days: '20' })).toMatchObject({ outcome: 'done' })
})

describe('the audit', () => {
  const describeIt = {
    summary: (_input: any, { days }: any) => `Extend by ${days} days`,
    audit: ({ accountId }: any, { days }: any) => ({ accountId, days }),
  }

  test('has a record before run, with the sentence and what audit returns', async () => {
    const before: unknown[] = []
    const desk = createDesk({ ...describeIt, run: () => void before.push(...desk.outcomes()) })
    const done = await desk.confirm(await desk.open())
    expect(before).toEqual(['shown', 'review', 'started'])
    const part = { sentence: 'Extend by 7 days', details: { accountId: 'account-1', days: 7 } }
    expect(desk.records.at(-2)).toMatchObject({ outcome: 'started', agent: AGENT, ...part })
    expect(desk.records.at(-1)).toMatchObject({ outcome: 'done', ...part })
    expect(done.html).toContain('<p class="sentence">Extend by 7 days</p>')
  })

  test('with requireAudit, nothing runs without it', async () => {
    const instrument = audit(({ outcome }) => {
      if (outcome === 'started') throw new Error('audit store is down')
    })
    const desk = createDesk({}, { requireAudit: true }, { instrument })
    const failed = await desk.confirm(await desk.open(), { days: '7', reason: 'Kept' })
    expect(failed).toMatchObject({ status: 503, outcome: 'failed' })
    expect(failed.html).toContain('Kept')
    expect(desk.keys).toEqual([])
    const optional = createDesk({}, {}, { instrument })
    expect(await optional.confirm(await optional.open())).toMatchObject({ outcome: 'done' })
    expect(optional.log()).toContain('audit store is down')
  })
})

describe('a rotation of secrets', () => {
  const [OLD, NEW] = ['o'.repeat(40), 'n'.repeat(40)] as const

  test('does not hide an unknown outcome, and keeps the idempotency key', async () => {
    const receipts = memoryReceipts()
    let secret: readonly string[] = [OLD]
    const desk = createDesk({ run: lost }, { receipts, secret: () => secret })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    secret = [NEW]
    desk.nowMs += 100_000
    const page = await desk.open()
    expect(page).toMatchObject({ outcome: 'unknown' })
    const free = await desk.confirm(page, { resolve: 'not_done' })
    await desk.confirm(free)
    expect(desk.keys[1]).toBe(desk.keys[0])
  })

  test.each([
    ['asks authorize about the values of the receipt', [NEW, OLD], 'unknown'],
    ['asks authorize without the values that nobody can decrypt', [NEW], 'done'],
  ])('%s before an agent states the outcome', async (_, secrets, state) => {
    let secret: readonly string[] = [OLD]
    let isStrict = false
    const authorize = (_ctx: unknown, _input: unknown, values?: object) =>
      !isStrict || values === undefined
    const desk = createDesk({ run: lost, authorize }, { secret: () => secret })
    await desk.confirm(await desk.open())
    desk.nowMs += 100_000
    secret = secrets
    isStrict = true
    const { attemptId } = await desk.last()
    await desk.confirm({ ...(await desk.open()), seen: attemptId }, { resolve: 'done' })
    expect((await desk.last()).state).toBe(state)
  })
})
