import { onTestFinished, expect, test, vi } from 'vitest'
import {
  AGENT,
  createActionApp,
  createExtendTrial,
  confirmPage,
  openPage,
  readLinks,
} from '../../helpers/actions.ts'
import { createRecordingLogger } from '../../helpers/app.ts'

test('show and run are spans with the name of the action', async () => {
  const spans: unknown[] = []
  const span = (name: string, attributes: object, run: () => unknown) => {
    spans.push([name, attributes])
    return run()
  }
  const app = createActionApp(createExtendTrial(), {}, { instrument: { span } as never })
  const [link] = await readLinks(app)
  const page = await openPage(app, link!)
  spans.length = 0
  await openPage(app, link!)
  expect(spans).toEqual([['action.show', { 'sidecard.action': 'extend-trial' }]])
  spans.length = 0
  expect(await confirmPage(app, page)).toMatchObject({ outcome: 'done' })
  expect(spans).toEqual([['action.run', { 'sidecard.action': 'extend-trial' }]])
})

test('a page that has ended leaves no timer, which would keep its process alive', async () => {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const clearTimer = vi.spyOn(globalThis, 'clearTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const wait = async <T>(value: T) => new Promise<T>((resolve) => setImmediate(resolve, value))
  const extendTrial = createExtendTrial({
    timeoutMs: 19_001,
    authorize: () => wait(true),
    form: () => wait({}),
    show: () => wait([]),
    run: () => wait([]),
  })
  const options = { signIn: () => wait(AGENT) }
  const app = createActionApp(extendTrial, options, { timeoutMs: 29_001 })
  const [link] = await readLinks(app)
  await confirmPage(app, await openPage(app, link!))
  await Promise.all(
    app.routes.map(({ handler }: any) => handler[Symbol.for('sidecard.setup')]?.({})),
  )
  // Some of the time may have passed when a timer starts.
  const own = setTimer.mock.results.filter((_, index) => {
    const [, ms = 0] = setTimer.mock.calls[index]!
    return (ms > 15_000 && ms <= 19_001) || (ms > 25_000 && ms <= 29_001)
  })
  expect(own.length).toBeGreaterThan(2)
  for (const { value } of own) expect(clearTimer).toHaveBeenCalledWith(value)
})

test('the log line of a page names neither the agent nor the method, and its record has a duration', async () => {
  const logger = createRecordingLogger()
  const records: any[] = []
  const onAction = (record: unknown) => void records.push(record)
  const instrument = { onResponse: () => undefined, onAction }
  const app = createActionApp(createExtendTrial(), {}, { logger, instrument })
  const startedMs = Date.now()
  const [link] = await readLinks(app)
  await openPage(app, link!)
  const { fields } = logger.lines.at(-1)!
  expect(fields).toMatchObject({ requestType: 'action', action: 'extend-trial', outcome: 'shown' })
  for (const name of ['agent', 'method', 'error']) expect(fields).not.toHaveProperty(name)
  const { startedAtMs, durationMs } = records.at(-1)
  expect(startedAtMs).toBeGreaterThanOrEqual(startedMs)
  expect(durationMs).toBeGreaterThanOrEqual(0)
  expect(durationMs).toBeLessThan(60_000)
})
