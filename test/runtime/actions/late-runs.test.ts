import { text } from 'sidecard'
import { ActionError, memoryReceipts, type Receipt } from 'sidecard/actions'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDesk, createPendingRun } from '../../helpers/desk.ts'

/** A desk whose timers and clock a test moves, and a link of it. */
async function createTimed(overrides = {}, options = {}, appOptions = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const desk = createDesk(overrides, options, appOptions)
  desk.detached = true
  const link = await desk.newLink()
  const page = await desk.show(link)
  const pass = async (ms: number) => {
    desk.nowMs += ms
    await vi.advanceTimersByTimeAsync(ms)
  }
  return Object.assign(desk, { link, page, pass })
}

describe('a run that is pending after its timeout', () => {
  /** Confirms, and waits for the page that the agent sees at the timeout. */
  async function createPending(receipts = memoryReceipts()) {
    const pending = createPendingRun()
    const desk = await createTimed({ run: pending.run, timeoutMs: 1_000 }, { receipts })
    const confirming = desk.confirm(desk.page)
    await expect.poll(() => desk.keys).toHaveLength(1)
    await desk.pass(1_000)
    const page = await confirming
    expect(page).toMatchObject({ status: 504, outcome: 'unknown' })
    return { ...pending, desk }
  }

  test('moves the time at which nothing can happen any more, every five seconds', async () => {
    const { desk, end } = await createPending()
    const first = (await desk.last()).settlesAtMs
    expect(first - desk.nowMs).toBe(70_000)
    await desk.pass(4_900)
    expect((await desk.last()).settlesAtMs).toBe(first)
    await desk.pass(100)
    expect((await desk.last()).settlesAtMs).toBe(first + 5_000)
    await desk.pass(5_000)
    expect((await desk.last()).settlesAtMs).toBe(first + 10_000)
    end(text({ label: 'Result', value: 'r3sult' }))
    await expect.poll(async () => (await desk.last()).state).toBe('done')
    expect((await desk.show(desk.link)).html).toContain('r3sult')
    const { revision } = await desk.last()
    await desk.pass(20_000)
    expect((await desk.last()).revision).toBe(revision)
    expect(desk.outcomes()).toContain('done')
  })

  test('gives a sign again one second after the store has failed', async () => {
    const receipts = memoryReceipts()
    const settle = vi.spyOn(receipts, 'settle')
    const { desk, end } = await createPending(receipts)
    const { settlesAtMs } = await desk.last()
    settle.mockRejectedValueOnce(new Error('down'))
    await desk.pass(5_000)
    expect((await desk.last()).settlesAtMs).toBe(settlesAtMs)
    await desk.pass(1_000)
    expect((await desk.last()).settlesAtMs).toBe(settlesAtMs + 6_000)
    end()
  })

  test('is an error in the log after 15 minutes, and an agent may state its outcome', async () => {
    const { desk, fail } = await createPending()
    const page = () => desk.show(desk.link)
    await desk.pass(840_000)
    expect((await page()).html).not.toContain('It did not go through')
    const { length } = desk.outcomes()
    await desk.pass(65_000)
    const problem = 'run has not ended for 15 minutes'
    const listErrors = () => desk.logger.lines.filter(({ fields }) => fields['problem'] === problem)
    expect(listErrors().map(({ level }) => level)).toEqual(['error'])
    expect(desk.outcomes().slice(length)).toEqual(['unknown'])
    const stuck = await page()
    expect(stuck.html).toContain('It did not go through')
    const { revision } = await desk.last()
    await desk.pass(120_000)
    expect((await desk.last()).revision).toBe(revision + 2)
    expect(listErrors()).toHaveLength(1)
    await desk.confirm(stuck, { resolve: 'not_done' })
    expect((await desk.last()).state).toBe('not_done')
    fail(new Error('lost'))
    await desk.pass(60_000)
    expect((await desk.last()).state).toBe('not_done')
  })

  test.each<[string, unknown, string]>([
    ['an ActionError', new ActionError('No.'), 'refused'],
    ['an error', new Error('lost'), 'unknown'],
  ])('and ends with %s has this outcome in the audit too', async (_, error, state) => {
    const { desk, fail } = await createPending()
    const { settlesAtMs } = await desk.last()
    fail(error)
    await expect.poll(() => desk.outcomes()).toContain(state)
    await desk.pass(0)
    expect(await desk.last()).toMatchObject({ state, settlesAtMs })
  })
})

test('a run may take longer than the time of a request', async () => {
  const { run, fail } = createPendingRun()
  const desk = await createTimed({ run }, {}, { timeoutMs: 5_000 })
  const confirming = desk.confirm(desk.page, { days: '9', reason: 'Kept' })
  await expect.poll(() => desk.keys).toHaveLength(1)
  await desk.pass(6_000)
  fail(new ActionError('Only 5 days are left.', { field: 'days' }))
  const rejected = await confirming
  expect(rejected).toMatchObject({ status: 409, outcome: 'refused' })
  expect(rejected.html).toContain('id="field-days-problem">Only 5 days are left.</p>')
  expect(rejected.html).toMatch(/value="9"[^]*Kept/)
})

describe('a store that fails when run has ended', () => {
  /** Confirms while the store cannot write, and returns the page. */
  async function confirmBroken(run: () => unknown) {
    const memory = memoryReceipts()
    const tries: number[] = []
    let isDown = true
    const settle = (one: Receipt) => {
      tries.push(desk.nowMs)
      if (isDown) throw new Error('connection reset')
      return memory.settle(one)
    }
    const desk = await createTimed({ run }, { receipts: { ...memory, settle } })
    const startMs = desk.nowMs
    const page = await desk.confirm(desk.page)
    const heal = () => void (isDown = false)
    return { desk, page, heal, waits: () => tries.map((at) => at - startMs) }
  }

  test('is tried again after 0.1 s, and then after twice the time, up to ten seconds', async () => {
    const { desk, waits, heal } = await confirmBroken(() => undefined)
    for (let ms = 0; ms < 45_000; ms += 100) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await desk.pass(100)
    }
    expect(waits()).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 22_700, 32_700, 42_700])
    heal()
  })

  test('keeps the statement of an agent that it went through', async () => {
    const { desk, heal } = await confirmBroken(() => Promise.reject(new ActionError('No.')))
    await desk.pass(20_000)
    const open = await desk.show(desk.link)
    heal()
    await desk.confirm(open, { resolve: 'done' })
    await desk.pass(20_000)
    expect((await desk.last()).state).toBe('done')
  })
})
