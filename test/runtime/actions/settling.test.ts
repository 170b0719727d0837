import { text } from 'sidecard'
import { ActionError, anyAgent, memoryReceipts, type Receipt } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { openPage } from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk, lost } from '../../helpers/desk.ts'

/** A desk with its log, and with what it asks its store to settle. */
function createLogged(overrides: Record<string, unknown> = {}, broken = {}, options = {}) {
  const logger = createRecordingLogger()
  const memory = memoryReceipts()
  const settled: Receipt[] = []
  const settle = (receipt: Receipt) => (settled.push(receipt), memory.settle(receipt))
  const receipts = { ...memory, settle, ...broken }
  const desk = createDesk(overrides, { receipts, ...options }, { logger })
  const problems = () => logger.lines.flatMap(({ fields }) => fields['problem'] ?? [])
  const outcomes = () => desk.records.flatMap(({ outcome }) => outcome ?? [])
  return Object.assign(desk, { memory, logger, settled, problems, outcomes })
}

describe('the outcome of a run is written once, with one record:', () => {
  test.each<[string, () => unknown, string]>([
    ['a result', () => text({ label: 'a', value: 'b' }), 'done'],
    ['nothing', () => undefined, 'done'],
    ['an error', lost, 'unknown'],
    [
      'an error that is thrown at once',
      () => {
        throw new Error('lost')
      },
      'unknown',
    ],
  ])('%s', async (_, run, outcome) => {
    const desk = createLogged({ run })
    await desk.confirm(await desk.open())
    expect(desk.settled.map(({ state, hasEnded }) => [state, hasEnded])).toEqual([[outcome, true]])
    expect(desk.outcomes()).toEqual(['shown', 'started', outcome])
    expect(desk.problems()).toEqual([])
    expect(desk.logger.lines.at(-1)?.level).toBe(outcome === 'done' ? 'info' : 'error')
  })

  test('a run that never ends', async () => {
    const desk = createLogged({ run: () => new Promise(() => undefined), timeoutMs: 20 })
    await desk.confirm(await desk.open())
    expect(desk.settled.map(({ state, hasEnded }) => [state, hasEnded])).toEqual([
      ['unknown', false],
    ])
    expect(desk.outcomes()).toEqual(['shown', 'started', 'unknown'])
    expect(JSON.stringify(desk.logger.lines)).not.toContain('sidecard waitUntil')
  })
})

describe('a store that takes an outcome only at the second attempt', () => {
  test('has the result', async () => {
    const memory = memoryReceipts()
    let attempts = 0
    const settle = (receipt: Receipt) => {
      attempts += 1
      if (attempts === 1) throw new Error('connection reset')
      return memory.settle(receipt)
    }
    const desk = createLogged({}, { ...memory, settle })
    const link = await desk.newLink()
    expect(await desk.confirm(await desk.show(link))).toMatchObject({ outcome: 'done' })
    expect(await desk.show(link)).toMatchObject({ outcome: 'already_done' })
    expect(attempts).toBe(2)
  })

  test('has released what was refused', async () => {
    const memory = memoryReceipts()
    let attempts = 0
    const release = (id: string, owner: string) => {
      attempts += 1
      if (attempts === 1) throw new Error('connection reset')
      return memory.release(id, owner)
    }
    const run = () => Promise.reject(new ActionError('Busy.'))
    const desk = createLogged({ run }, { ...memory, release })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    expect(await desk.show(link)).toMatchObject({ outcome: 'shown' })
  })
})

test('a store that does not replace a receipt is in the log, and the action is done', async () => {
  const desk = createLogged({}, { settle: () => false })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'done' })
  expect(desk.problems()).toEqual(['receipt not replaced'])
  expect(desk.logger.lines.map(({ fields }) => fields['msg'])).toContain('sidecard actions')
})

test('what a store returns when it releases a receipt does not matter', async () => {
  const run = () => Promise.reject(new ActionError('Busy.'))
  const desk = createLogged({ run }, { release: () => ({ rowCount: 1 }) })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'refused' })
  expect(desk.problems()).toEqual([])
})

test('a result of more than 64 KiB is shown once, and then only that it is done', async () => {
  const component = text({ label: 'Result', value: 'r3sult'.padEnd(1_000, 'x') })
  const run = () => Array.from({ length: 70 }, () => component)
  const desk = createLogged({ run, confirm: () => 'Extend it' })
  const link = await desk.newLink()
  const done = await desk.confirm(await desk.show(link))
  expect(done.html).toContain('r3sult')
  const again = await desk.show(link)
  expect(again).toMatchObject({ outcome: 'already_done', heading: 'Done' })
  expect(again.html).toContain('<p class="sentence">Extend it</p>')
  expect(again.html).not.toContain('r3sult')
})

describe.each([
  ['confirm', [7, '', ' '], 'The option confirm of an action must return a non-empty string.'],
  ['once', [7, ''], 'The option once of an action must return a non-empty string.'],
] as const)('the option %s', (name, values, problem) => {
  test.each(values)('that returns %j runs nothing, and is logged', async (value) => {
    let isBroken = false
    const desk = createLogged({ [name]: () => (isBroken ? value : 'intent') })
    const page = await desk.open()
    isBroken = true
    const failed = await desk.confirm(page, { days: '7', reason: 'Kept' })
    expect(failed.outcome).toBe('failed')
    expect(failed.html).toContain('Kept')
    expect(desk.keys).toEqual([])
    expect(JSON.stringify(desk.logger.lines)).toContain(problem)
  })
})

describe('the idempotency key', () => {
  const WEEK_MS = 604_800_000

  test('is new after each success', async () => {
    const desk = createLogged()
    for (const count of [1, 2, 3]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await desk.confirm(await desk.open())
      expect(new Set(desk.keys).size).toBe(count)
    }
  })

  test('is the same for a week without receipts, whichever process creates it', async () => {
    const keyAt = async (nowMs: number) => {
      const desk = createLogged()
      desk.nowMs = nowMs
      await desk.confirm(await desk.open())
      return desk.keys[0]
    }
    const startMs = 3_000 * WEEK_MS
    const [first, later, next] = await Promise.all([
      keyAt(startMs),
      keyAt(startMs + WEEK_MS - 1),
      keyAt(startMs + WEEK_MS),
    ])
    expect(later).toBe(first)
    expect(next).not.toBe(first)
  })
})

describe('resolve', () => {
  const resolve = () => true
  const once = () => 'intent'

  test('that fails offers no buttons, and is logged', async () => {
    const desk = createLogged({ run: lost, resolve: () => Promise.reject(new Error('directory')) })
    const page = await desk.open()
    const unknown = await desk.confirm(page)
    expect(unknown).toMatchObject({ outcome: 'unknown' })
    expect(unknown.html).not.toContain('It was done')
    expect(desk.problems()).toContain('resolve failed')
    const form = { ...page, seen: `${desk.settled[0]!.owner}:unknown` }
    const denied = await desk.confirm(form, { resolve: 'done' })
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(desk.settled.map(({ state }) => state)).toEqual(['unknown'])
  })

  test('is not called for what is done', async () => {
    const desk = createLogged({ resolve, once })
    const page = await desk.open()
    await desk.confirm(page)
    const { owner } = desk.settled[0]!
    const shown = await desk.confirm({ ...page, seen: `${owner}:done` }, { resolve: 'done' })
    expect(shown).toMatchObject({ outcome: 'already_done' })
    expect(shown.html).not.toContain('Checked by')
    expect(desk.settled).toHaveLength(1)
  })

  test('knows two answers', async () => {
    const desk = createLogged({ run: lost, resolve, once })
    const unknown = await desk.confirm(await desk.open())
    expect(await desk.confirm(unknown, { resolve: 'maybe' })).toMatchObject({ outcome: 'unknown' })
    expect(desk.settled).toHaveLength(1)
  })

  test('"it was done" counts while run can still end', async () => {
    const run = () => new Promise(() => undefined)
    const desk = createLogged({ run, resolve, once, timeoutMs: 20 })
    const unknown = await desk.confirm(await desk.open())
    const done = await desk.confirm(unknown, { resolve: 'done' })
    expect(done).toMatchObject({ outcome: 'already_done' })
  })

  test('"it was not done" counts at once after a run that failed late', async () => {
    let end = () => {}
    const run = () => new Promise((_, reject) => (end = () => reject(new Error('lost'))))
    const desk = createLogged({ run, resolve, once, timeoutMs: 400 })
    const confirming = desk.confirm(await desk.open())
    await expect.poll(() => desk.settled).toHaveLength(1)
    end()
    const unknown = await confirming
    expect(unknown).toMatchObject({ status: 504, outcome: 'unknown' })
    expect(await desk.confirm(unknown, { resolve: 'not_done' })).toMatchObject({ outcome: 'shown' })
  })

  test('works after the secret of the receipt was replaced', async () => {
    let secret = 'the-old-secret-of-more-than-32-characters'
    const desk = createLogged({ run: lost, resolve, once }, {}, { secret: () => secret })
    await desk.confirm(await desk.open())
    secret = 'the-new-secret-of-more-than-32-characters'
    const unknown = await desk.open()
    expect(unknown).toMatchObject({ outcome: 'unknown' })
    expect(await desk.confirm(unknown, { resolve: 'done' })).toMatchObject({
      outcome: 'already_done',
    })
  })
})

describe('reconcile', () => {
  test('that found out that nothing was done leaves nothing to check', async () => {
    const desk = createLogged({ run: lost, reconcile: () => 'not_done' })
    await desk.confirm(await desk.open())
    const page = await desk.open()
    expect(page).toMatchObject({ outcome: 'shown' })
    expect(page.html).not.toMatch(/name="checked"|It is not known/)
    expect(desk.outcomes()).toContain('reconciled_not_done')
  })

  test.each([
    ['fails', () => Promise.reject(new Error('x')), ['reconcile failed']],
    ['returns something else', () => 'maybe', []],
  ])('that %s settles nothing', async (_, reconcile, problems) => {
    const desk = createLogged({ run: lost, reconcile })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    expect(await desk.show(link)).toMatchObject({ outcome: 'unknown' })
    expect(desk.settled).toHaveLength(1)
    expect(desk.problems()).toEqual(problems)
  })

  test('is not called if the content of the receipt cannot be read', async () => {
    let secret = 'the-old-secret-of-more-than-32-characters'
    let asked = 0
    const reconcile = () => ((asked += 1), 'done')
    const options = { secret: () => secret }
    const desk = createLogged({ run: lost, reconcile, once: () => 'intent' }, {}, options)
    await desk.confirm(await desk.open())
    secret = 'the-new-secret-of-more-than-32-characters'
    expect(await desk.open()).toMatchObject({ outcome: 'unknown' })
    expect(asked).toBe(0)
    expect(desk.problems()).toEqual([])
  })
})

test('what was done stays done after the time that a confirmation may take', async () => {
  const desk = createLogged({})
  const link = await desk.newLink()
  await desk.confirm(await desk.show(link))
  desk.nowMs += 600_000
  expect(await desk.show(link)).toMatchObject({ outcome: 'already_done' })
})

test('the audit names what an unknown agent stated, and not as found out by the app', async () => {
  const desk = createLogged({ run: lost, resolve: () => true }, {}, { signIn: anyAgent() })
  const link = await desk.newLink()
  await desk.confirm(await desk.show(link))
  await desk.confirm(await desk.show(link), { resolve: 'done' })
  expect(desk.outcomes()).toContain('resolved_done')
  expect(desk.outcomes()).not.toContain('reconciled_done')
})

describe('allow', () => {
  test('that fails shows the trace ID, and is logged', async () => {
    const desk = createLogged({ allow: () => Promise.reject(new Error('directory')) })
    const page = await desk.open()
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(page.html).toContain('<code>')
    expect(JSON.stringify(desk.logger.lines)).toContain('directory')
  })

  test('that rejects anyone names nobody', async () => {
    const desk = createLogged({ allow: () => false }, {}, { signIn: anyAgent() })
    const { html } = await openPage(desk.app, await desk.newLink())
    expect(html).toContain(DEFAULT_ACTION_MESSAGES.forbiddenAnyone)
    expect(html).not.toContain('<code>')
  })
})
