import { text } from 'sidecard'
import { anyAgent } from 'sidecard/actions'
import { describe, expect, test } from 'vitest'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { openPage } from '../../helpers/actions.ts'
import { createDesk, lost } from '../../helpers/desk.ts'

test.each<[string, () => unknown, string]>([
  ['a result', () => text({ label: 'a', value: 'b' }), 'done'],
  ['nothing', () => undefined, 'done'],
  ['an error', lost, 'unknown'],
])('the outcome of %s is written once, with one record', async (_, run, outcome) => {
  const desk = createDesk({ run })
  await desk.confirm(await desk.open())
  expect(await desk.last()).toMatchObject({ state: outcome, revision: 1 })
  expect(desk.outcomes()).toEqual(['shown', 'started', outcome])
  expect(desk.problems()).toEqual([])
  expect(desk.logger.lines.at(-1)?.level).toBe(outcome === 'done' ? 'info' : 'error')
})

test('a result of more than 64 KiB is shown once, and then only that it is done', async () => {
  const component = text({ label: 'Result', value: 'r3sult'.padEnd(1_000, 'x') })
  const run = () => Array.from({ length: 70 }, () => component)
  const desk = createDesk({ run, summary: () => 'Extend it' })
  const link = await desk.newLink()
  const done = await desk.confirm(await desk.show(link))
  expect(done.html).toContain('r3sult')
  const again = await desk.show(link)
  expect(again).toMatchObject({ outcome: 'already_done', heading: 'Done' })
  expect(again.html).toContain('<p class="sentence">Extend it</p>')
  expect(again.html).not.toContain('r3sult')
})

describe.each([
  ['summary', [7, '', ' '], 'The option summary of an action must return a non-empty string.'],
  ['uniqueKey', [7, ''], 'The option uniqueKey of an action must return a non-empty string.'],
] as const)('the option %s', (name, values, problem) => {
  test.each(values)('that returns %j runs nothing, and is logged', async (value) => {
    let isBroken = false
    const desk = createDesk({ [name]: () => (isBroken ? value : 'intent') })
    const page = await desk.open()
    isBroken = true
    const failed = await desk.confirm(page, { days: '7', reason: 'Kept' })
    expect(failed.outcome).toBe('failed')
    expect(failed.html).toContain('Kept')
    expect(desk.keys).toEqual([])
    expect(JSON.stringify(desk.logger.lines)).toContain(problem)
  })
})

describe('allow', () => {
  test('that fails shows the trace ID, and is logged', async () => {
    const desk = createDesk({ authorize: () => Promise.reject(new Error('directory')) })
    const page = await desk.open()
    expect(page).toMatchObject({ status: 403, outcome: 'forbidden' })
    expect(page.html).toContain('<code>')
    expect(JSON.stringify(desk.logger.lines)).toContain('directory')
  })

  test('that rejects anyone names nobody', async () => {
    const desk = createDesk({ authorize: () => false }, { signIn: anyAgent() })
    const { html } = await openPage(desk.app, await desk.newLink())
    expect(html).toContain(DEFAULT_ACTION_MESSAGES.forbiddenAnyone)
    expect(html).not.toContain('<code>')
  })
})
