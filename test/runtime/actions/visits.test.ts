import { audit, serverTiming } from 'sidecard'
import { memoryReceipts } from 'sidecard/actions'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { DEFAULT_ACTION_MESSAGES } from '../../../src/runtime/actions/messages.ts'
import { AGENT, localPath, readPage } from '../../helpers/actions.ts'
import { FETCH_DATA } from '../../helpers/app.ts'
import { createDesk, SAM } from '../../helpers/desk.ts'

test('a link expires in the second that it names, and its form ten minutes later', async () => {
  const desk = createDesk({}, { expiresSeconds: 60 })
  desk.nowMs = Math.floor(desk.nowMs / 1_000) * 1_000
  const expiresAtMs = desk.nowMs + 60_000
  const link = await desk.newLink()
  const outcomeAt = async (nowMs: number, page?: Awaited<ReturnType<typeof desk.show>>) => {
    desk.nowMs = nowMs
    return (await (page === undefined ? desk.show(link) : desk.confirm(page))).outcome
  }
  const page = await desk.show(link)
  expect(await outcomeAt(expiresAtMs - 1)).toBe('shown')
  expect(await outcomeAt(expiresAtMs)).toBe('expired')
  expect(await outcomeAt(expiresAtMs + 600_000, page)).toBe('expired')
  expect(await outcomeAt(expiresAtMs + 599_999, page)).toBe('done')
})

test('a link from before a change of the input has expired, and the log names the place', async () => {
  const receipts = memoryReceipts()
  const link = await createDesk({}, { receipts }).newLink()
  const input = z.object({ accountId: z.string(), plan: z.string() })
  const desk = createDesk({ input }, { receipts })
  expect(await desk.show(link)).toMatchObject({ status: 410, outcome: 'expired' })
  expect(desk.log()).toContain('The input of the link is invalid at plan.')
})

test('a form with a wrong token shows the reason and what was entered, and no trace ID', async () => {
  const desk = createDesk()
  const page = { ...(await desk.open()), form: 'x' }
  const foreign = await desk.confirm(page, { days: '7', reason: 'Kept' })
  expect(foreign.html).toContain(DEFAULT_ACTION_MESSAGES.otherAgent)
  expect(foreign.html).toContain('Kept')
  expect(foreign.html).not.toContain('<code>')
})

test('only the agent who confirmed a link has entered what its receipt says', async () => {
  const desk = createDesk()
  const link = await desk.newLink()
  const page = await desk.show(link)
  desk.agent = SAM
  const late = await desk.show(link)
  desk.agent = AGENT
  await desk.confirm(page, { days: '7', reason: 'Mine' })
  const again = await desk.confirm(page, { days: '8', reason: 'Mine too' })
  expect(again.html).not.toContain('Mine too')
  desk.agent = SAM
  const other = await desk.confirm(late, { days: '9', reason: 'Theirs' })
  expect(other).toMatchObject({ outcome: 'already_done' })
  expect(other.html).toContain('Theirs')
})

test('what was entered is kept although the form cannot be shown again', async () => {
  let isBroken = false
  const show = () => (isBroken ? Promise.reject(new Error('down')) : [])
  const desk = createDesk({ show })
  const page = await desk.open()
  isBroken = true
  const invalid = await desk.confirm(page, { days: '99', reason: 'Kept' })
  expect(invalid).toMatchObject({ status: 422, outcome: 'invalid', t: undefined })
  expect(invalid.html).toContain(DEFAULT_ACTION_MESSAGES.checkFields)
  expect(invalid.html).toContain('Kept')
})

test.each<[string, (() => number) | undefined, string]>([
  ['no time', undefined, 'shown'],
  ['the time of the link', () => Date.now(), 'shown'],
  ['a later time', () => Date.now() + 1, 'expired'],
])('with receipts since %s, a link is %s', async (_, since, outcome) => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const { since: _since, ...receipts } = memoryReceipts()
  const { app } = createDesk({}, { receipts: { ...receipts, ...(since && { since }) } })
  const [button] = (await (await app.request(FETCH_DATA)).json()).components
  expect(await readPage(await app.request(localPath(button.url)))).toMatchObject({ outcome })
})

const fail = () => Promise.reject(new Error('x'))

test.each<[string, unknown]>([
  ['ignore actions', [serverTiming(), audit(() => undefined)]],
  ['fail', { span: (_n: any, _a: any, run: any) => run(), onAction: fail }],
])('instruments that %s change nothing', async (name, instrument) => {
  const desk = createDesk({}, {}, { instrument })
  expect(await desk.confirm(await desk.open())).toMatchObject({ outcome: 'done' })
  const failures = desk.logger.lines.filter(({ level }) => level !== 'info')
  const names = [...new Set(failures.map(({ fields }) => fields['msg']))]
  expect(names).toEqual(name === 'fail' ? ['sidecard waitUntil', 'sidecard instrument'] : [])
})
