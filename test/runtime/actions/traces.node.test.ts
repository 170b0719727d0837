import { onTestFinished, expect, test, vi } from 'vitest'
import { AGENT } from '../../helpers/actions.ts'
import { createDesk } from '../../helpers/desk.ts'

test('show and run are spans with the name of the action, and have the trace ID of the page', async () => {
  const spans: unknown[] = []
  const span = (name: string, attributes: object, run: () => unknown) => {
    if (name.startsWith('action.')) spans.push([name, attributes])
    return run()
  }
  const traceIds: string[] = []
  const note = (ctx: { traceId: string }) => (traceIds.push(ctx.traceId), [])
  const desk = createDesk({ show: note, run: note }, {}, { instrument: { span } })
  const page = await desk.open()
  const done = await desk.confirm(page)
  expect(done).toMatchObject({ outcome: 'done' })
  const attributes = { 'sidecard.action': 'extend-trial' }
  expect(spans).toEqual([
    ['action.show', attributes],
    ['action.run', attributes],
  ])
  const headers = [page, done].map(({ response }) => response.headers.get('x-sidecard-trace'))
  expect(traceIds).toEqual(headers)
})

test('a page that has ended leaves no timer, which would keep its process alive', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const clearTimer = vi.spyOn(globalThis, 'clearTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const wait = async <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))
  const [form, empty] = [() => wait({}), () => wait([])]
  const action = { timeoutMs: 19_001, authorize: () => wait(true), form, show: empty, run: empty }
  const desk = createDesk(action, { signIn: () => wait(AGENT) }, { timeoutMs: 29_001 })
  await desk.confirm(await desk.open())
  const hooks = desk.app.routes.map(({ handler }: any) => handler[Symbol.for('sidecard.setup')])
  await Promise.all(hooks.map((hook) => hook?.({})))
  // Some of the time may have passed when a timer starts.
  const own = setTimer.mock.results.filter((_, index) => {
    const [, ms = 0] = setTimer.mock.calls[index]!
    return (ms > 15_000 && ms <= 19_001) || (ms > 25_000 && ms <= 29_001)
  })
  expect(own.length).toBeGreaterThan(2)
  for (const { value } of own) expect(clearTimer).toHaveBeenCalledWith(value)
})

test('the log line of a page names neither the agent nor the method, and its record has a duration', async () => {
  const records: any[] = []
  const onAction = (record: unknown) => void records.push(record)
  const instrument = { onResponse: () => undefined, onAction }
  const desk = createDesk({}, {}, { instrument })
  const startedMs = Date.now()
  await desk.open()
  const { fields } = desk.logger.lines.at(-1)!
  expect(fields).toMatchObject({ requestType: 'action', action: 'extend-trial', outcome: 'shown' })
  for (const name of ['agent', 'method', 'error']) expect(fields).not.toHaveProperty(name)
  const { startedAtMs, durationMs } = records.at(-1)
  expect(startedAtMs).toBeGreaterThanOrEqual(startedMs)
  expect(durationMs).toBeGreaterThanOrEqual(0)
  expect(durationMs).toBeLessThan(60_000)
})
