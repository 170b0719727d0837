import { anyAgent, memoryReceipts, type Receipt } from 'sidecard/actions'
import { describe, expect, test, vi } from 'vitest'
import { AGENT } from '../../helpers/actions.ts'
import { createDesk, createPendingRun, lost, SAM } from '../../helpers/desk.ts'

/** After the default timeout, the slack and `lateMs`. */
const OVER_MS = 80_000

/** A desk with a confirmation whose outcome is unknown, its link, and its form. */
async function createUnknown(overrides = {}, options = {}) {
  const desk = createDesk({ run: lost, ...overrides }, options)
  const link = await desk.newLink()
  const page = await desk.show(link)
  const unknown = await desk.confirm(page)
  expect(unknown).toMatchObject({ outcome: 'unknown', heading: 'Outcome unknown' })
  return Object.assign(desk, { link, page })
}

test('while an unknown confirmation can still go through, no link has a form, for any agent', async () => {
  const desk = await createUnknown()
  const late = await desk.newLink()
  desk.nowMs += OVER_MS - 1
  for (const agent of [AGENT, SAM]) {
    desk.agent = agent
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const page of [await desk.show(desk.link), await desk.open()]) {
      expect(page).toMatchObject({ outcome: 'unknown' })
      expect(page.html).toMatch(
        /may still go through\. Check again in [^(]+ \([\d-]+ [\d:]+ UTC\)\./,
      )
      expect(page.html).toContain('Confirmed by robin@acme.example')
      expect(page.html).not.toContain('name="field-days"')
      expect(page.html).not.toContain('It did not go through')
    }
  }
  const again = await desk.confirm(await desk.show(late), { days: '9', reason: 'Kept' })
  expect(again).toMatchObject({ outcome: 'unknown' })
  expect(again.html).toContain('Kept')
  desk.agent = AGENT
  expect(await desk.confirm(desk.page)).toMatchObject({ outcome: 'unknown' })
  expect(desk.keys).toHaveLength(1)
})

test('an unknown outcome outlives keepDays, and each page of it is in the audit', async () => {
  const desk = await createUnknown({ summary: () => 'Extend it' })
  const record = { outcome: 'unknown', sentence: 'Extend it' }
  expect(desk.records.at(-1)).toMatchObject(record)
  desk.nowMs += 40 * 86_400_000
  const unknown = await desk.open()
  expect(desk.records.at(-1)).toMatchObject(record)
  // A receipt of a success expires.
  expect(await desk.confirm(unknown, { resolve: 'done' })).toMatchObject({ outcome: 'shown' })
})

describe('lookUp', () => {
  test('gets the confirmation, and a page records that it is done', async () => {
    const lookUp = vi.fn((_ctx: any, _input: any, _receipt: any) => 'done')
    const desk = await createUnknown({ lookUp })
    const page = await desk.show(desk.link)
    expect(page).toMatchObject({ outcome: 'already_done', heading: 'Done' })
    expect(page.html).toContain('Checked: ')
    const [ctx, input, receipt] = lookUp.mock.calls[0]!
    const [idempotencyKey] = desk.keys
    expect(ctx.idempotencyKey).toBe(idempotencyKey)
    expect(input).toEqual({ accountId: 'account-1' })
    expect(receipt).toMatchObject({ idempotencyKey, values: { days: 7 }, agent: AGENT })
    expect(desk.outcomes()).toContain('looked_up_done')
    expect((await desk.last()).state).toBe('done')
    expect((await desk.open()).html).toContain('Last done')
  })

  test('that says "not done" changes nothing while it can still go through', async () => {
    const desk = await createUnknown({ lookUp: () => 'not_done' })
    desk.nowMs += OVER_MS - 1
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
    // The answer was too early, so it does not count later either.
    desk.nowMs += 1
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
  })

  test('that says "not done" opens the form, and only the next confirmation records it', async () => {
    const desk = await createUnknown({ lookUp: () => 'not_done' })
    desk.nowMs += OVER_MS
    const page = await desk.open()
    expect(page).toMatchObject({ outcome: 'shown' })
    expect(page.html).toContain('The last confirmation did not go through. Checked: ')
    expect((await desk.last()).state).toBe('unknown')
    expect(await desk.confirm(page)).toMatchObject({ outcome: 'unknown' })
    expect(desk.outcomes()).toContain('looked_up_not_done')
    expect(desk.begun.map(({ number }) => number)).toEqual([1, 2])
    expect(desk.keys[1]).toBe(desk.keys[0])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('x')), ['lookUp failed']],
    ['returns something else', () => 'maybe', []],
    ['hangs', () => new Promise(() => undefined), ['lookUp failed']],
  ])('that %s changes nothing', async (_, lookUp, problems) => {
    const desk = await createUnknown({ lookUp })
    desk.nowMs += OVER_MS
    expect(await desk.show(desk.link)).toMatchObject({ outcome: 'unknown' })
    expect(desk.problems()).toEqual(problems)
    expect((await desk.last()).state).toBe('unknown')
  })

  test('is called at most every ten seconds for a receipt, whichever process shows the page', async () => {
    const lookUp = vi.fn(() => 'unknown')
    const desk = await createUnknown({ lookUp })
    const other = createDesk({ run: lost, lookUp }, { receipts: desk.store })
    for (const waitedMs of [0, 9_999, 1]) {
      desk.nowMs += waitedMs
      other.nowMs = desk.nowMs
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await Promise.all([desk.open(), other.open(), desk.open()])
    }
    expect(lookUp).toHaveBeenCalledTimes(2)
  })

  test('is not called for an agent whom authorize rejects, who cannot state the outcome either', async () => {
    const authorize = ({ agent }: any, _input: any, values: any) => !values || agent.id !== SAM.id
    const lookUp = vi.fn(() => 'done')
    const desk = createDesk({ run: lost, lookUp, authorize })
    const page = await desk.open()
    desk.agent = SAM
    const form = await desk.open()
    desk.agent = AGENT
    await desk.confirm(page)
    desk.agent = SAM
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
    const { attemptId } = await desk.last()
    const denied = await desk.confirm({ ...form, seen: attemptId }, { resolve: 'done' })
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect([lookUp.mock.calls, (await desk.last()).state]).toEqual([[], 'unknown'])
  })

  test('is not called while the action runs, or if its receipt cannot be read', async () => {
    let secret = 'o'.repeat(40)
    const { run, fail } = createPendingRun()
    const lookUp = vi.fn(() => 'done')
    const desk = createDesk({ run, lookUp }, { secret: () => secret })
    const confirming = desk.confirm(await desk.open())
    await expect.poll(() => desk.keys).toHaveLength(1)
    desk.agent = SAM
    expect(await desk.open()).toMatchObject({ outcome: 'in_progress' })
    fail(new Error('lost'))
    await confirming
    secret = 'n'.repeat(40)
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
    expect(lookUp).not.toHaveBeenCalled()
    expect(desk.problems()).toEqual([])
  })
})

describe('an agent who knows the outcome', () => {
  test('states that it went through at any time, and everyone sees it', async () => {
    const desk = await createUnknown()
    desk.agent = SAM
    const unknown = await desk.show(desk.link)
    expect(unknown.html).toContain('It went through')
    const done = await desk.confirm(unknown, { resolve: 'done' })
    expect(done).toMatchObject({ outcome: 'already_done' })
    expect(done.html).toMatch(/Checked by sam@acme\.example: /)
    expect(desk.outcomes()).toContain('stated_done')
    expect((await desk.open()).html).toContain('Last done')
  })

  test('states that it did not go through only when it can no longer go through', async () => {
    const desk = await createUnknown()
    desk.nowMs += OVER_MS - 1
    const early = await desk.confirm(await desk.open(), { resolve: 'not_done' })
    expect(early).toMatchObject({ outcome: 'unknown' })
    expect(early.html).toContain('This may still go through.')
    desk.nowMs += 1
    const over = await desk.open()
    expect(over.html).toContain('It did not go through')
    desk.agent = SAM
    const stated = await desk.confirm(await desk.open(), { resolve: 'not_done' })
    expect(stated).toMatchObject({ outcome: 'shown' })
    expect(stated.html).toContain('did not go through. Checked by sam@acme.example: ')
    expect(desk.outcomes()).toContain('stated_not_done')
    desk.agent = AGENT
    expect(await desk.confirm(over, { resolve: 'done' })).toMatchObject({ outcome: 'shown' })
    expect((await desk.last()).state).toBe('not_done')
  })

  test.each([0, 7_000])('waits for lateMs, here %i ms', async (lateMs) => {
    const desk = await createUnknown({ lateMs, timeoutMs: 1_000 })
    desk.nowMs += 6_000 + lateMs - 1
    expect((await desk.open()).html).not.toContain('It did not go through')
    desk.nowMs += 1
    expect((await desk.open()).html).toContain('It did not go through')
  })

  test('cannot say that nothing happened while run is pending in this process, and neither can lookUp', async () => {
    const { run, end } = createPendingRun()
    const desk = createDesk({ run, timeoutMs: 20, lookUp: () => 'not_done' })
    const link = await desk.newLink()
    const confirming = desk.confirm(await desk.show(link))
    await expect.poll(() => desk.outcomes()).toContain('unknown')
    desk.nowMs += 10 * OVER_MS
    const page = await desk.show(link)
    expect(page.html).toContain('This may still go through.')
    const early = await desk.confirm(page, { resolve: 'not_done' })
    expect(early).toMatchObject({ outcome: 'unknown' })
    expect((await desk.last()).state).toBe('unknown')
    end()
    await confirming
    await expect.poll(() => desk.show(link)).toMatchObject({ outcome: 'already_done' })
  })

  test.each<[string, object]>([
    ['canSetOutcome rejects', { canSetOutcome: (ctx: any) => ctx.agent?.id === SAM.id }],
    ['canSetOutcome fails for', { canSetOutcome: () => Promise.reject(new Error('directory')) }],
  ])('sees no buttons if %s them, and states nothing', async (name, overrides) => {
    const desk = await createUnknown(overrides)
    desk.nowMs += OVER_MS
    expect((await desk.open()).html).not.toContain('It went through')
    const { attemptId } = await desk.last()
    const denied = await desk.confirm({ ...desk.page, seen: attemptId }, { resolve: 'done' })
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(denied.html).toContain('who may not do this.')
    expect(desk.problems().includes('canSetOutcome failed')).toBe(name.includes('fails'))
    expect((await desk.last()).state).toBe('unknown')
  })

  test.each<[string, object, object, object]>([
    ['an answer that does not exist', { resolve: 'maybe' }, {}, {}],
    ['a statement about a different receipt', { resolve: 'done' }, { seen: 'other' }, {}],
    ['a store that ignores it', { resolve: 'done' }, {}, { settle: (one: Receipt) => one }],
  ])('changes nothing with %s', async (_, values, changes, broken) => {
    const memory = { ...memoryReceipts() }
    const settle = (one: Receipt) => memory.settle(one)
    const desk = await createUnknown({}, { receipts: { ...memory, settle } })
    const page = { ...(await desk.show(desk.link)), ...changes }
    Object.assign(memory, broken)
    expect(await desk.confirm(page, { ...values })).toMatchObject({ outcome: 'unknown' })
    expect(desk.log().includes('receipt not replaced')).toBe('settle' in broken)
    expect((await desk.last()).state).toBe('unknown')
  })

  test('is in the audit even if nobody knows them, and after the secret was replaced', async () => {
    let secret = 'o'.repeat(40)
    const desk = await createUnknown({}, { signIn: anyAgent(), secret: () => secret })
    secret = 'n'.repeat(40)
    await desk.confirm(await desk.open(), { resolve: 'done' })
    expect(desk.outcomes()).toContain('stated_done')
    expect(desk.outcomes()).not.toContain('looked_up_done')
    expect((await desk.last()).state).toBe('done')
  })
})

test('the page never says that nothing was done after run has begun, even if it fails', async () => {
  const run = () => void (desk.nowMs = Number.NaN)
  const desk: ReturnType<typeof createDesk> = createDesk({ run })
  const page = await desk.confirm(await desk.open())
  expect([page.status, desk.keys.length]).toEqual([500, 1])
  expect(page.html).not.toContain('Nothing was done')
})
