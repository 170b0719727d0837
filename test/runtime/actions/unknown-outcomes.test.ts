import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { AGENT } from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'
import { createDesk, lost, SAM } from '../../helpers/desk.ts'

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
  ])('that %s changes nothing', async (name, reconcile) => {
    const logger = createRecordingLogger()
    const desk = createDesk({ run: lost, reconcile }, {}, { logger })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    expect(await desk.show(link)).toMatchObject({ outcome: 'unknown' })
    const problems = logger.lines.filter(({ fields }) => fields['problem'] === 'reconcile failed')
    expect(problems.map(({ fields }) => fields['msg'])).toEqual(
      name === 'returns something else' ? [] : ['sidecard actions'],
    )
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

  test('an agent whom allow rejects for the confirmed values states nothing', async () => {
    let isAllowed = true
    const allow = (_ctx: any, _input: any, values: any) => values === undefined || isAllowed
    const desk = createDesk({ run: lost, resolve: () => true, allow })
    const link = await desk.newLink()
    await desk.confirm(await desk.show(link))
    const unknown = await desk.show(link)
    isAllowed = false
    const denied = await desk.confirm(unknown, { resolve: 'done' })
    expect(denied).toMatchObject({ status: 403, outcome: 'forbidden' })
    isAllowed = true
    expect(await desk.show(link)).toMatchObject({ outcome: 'unknown' })
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
