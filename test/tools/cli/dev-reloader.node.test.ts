import { setImmediate } from 'node:timers/promises'
import { createEmulator } from 'sidecard/emulator'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppServer } from '../../../src/tools/cli/dev/app-server.ts'
import { createReloader } from '../../../src/tools/cli/dev/reloader.ts'
import type { Session } from '../../../src/tools/cli/dev/session.ts'

/** Starts a reloader whose clock jumps to the end of each wait. The new code responds at a time. */
function start({ newCodeAt = 0, needsRestart = false }) {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const emulator = createEmulator()
  const warn = vi.fn()
  const restart = vi.fn(() => Promise.resolve())
  const doesNotRespond = vi.fn()
  const shown: { readonly verdict: unknown; readonly at: number }[] = []
  const looks: number[] = []
  let now = 0
  let firstSeenAt: number | undefined
  const clock = {
    now: () => now,
    async sleep(ms: number, signal: AbortSignal) {
      await setImmediate()
      signal.throwIfAborted()
      now += ms
    },
  }
  const link = {
    app: { id: 'app_1' },
    refresh: () => Promise.resolve(),
    async probe() {
      looks.push(now)
      if (now < newCodeAt) return 'away'
      firstSeenAt ??= now
      return { instance: 'new' }
    },
  }
  const server = {
    links: [link],
    exists: true,
    isAlive: true,
    isRunning: true,
    hasFailed: false,
    needsRestart: () => needsRestart,
    restart,
    responds: () => undefined,
    doesNotRespond,
  } as unknown as AppServer
  const traffic = {
    isNew: (_: string, since: number) => firstSeenAt! > since,
  } as unknown as Session['traffic']
  const reports = {
    show: (_: unknown, { verdict }: any) => void shown.push({ verdict, at: now }),
  } as never
  const session = { emulator, traffic, over: over.signal, reporter: { warn } as never }
  const reloader = createReloader(session, server, reports, clock)
  const change = (path: string, activity: 'idle' | 'during' = 'idle') =>
    reloader.changed([{ path, activity, isSame: false }], now - 1)
  return { emulator, reloader, change, shown, looks, warn, restart, doesNotRespond }
}

test.each([33_000, 3_600_000])(
  'shows new code that first responds %i ms after the save, and looks for it less and less often',
  async (newCodeAt) => {
    const { change, shown, looks, doesNotRespond } = start({ newCodeAt })
    change('src/sidebar.ts')
    await expect.poll(() => shown, { interval: 1, timeout: 20_000 }).toHaveLength(1)
    expect(doesNotRespond).toHaveBeenCalledOnce()
    const [{ verdict, at }] = shown as [(typeof shown)[0]]
    expect(verdict).toBe('reloaded')
    expect(at - newCodeAt).toBeLessThanOrEqual(10_000)
    const late = looks.filter((time) => time > 30_000 && time <= newCodeAt)
    const pauses = late.slice(1).map((time, index) => time - late[index]!)
    expect(Math.min(...pauses, 2_000)).toBe(2_000)
    expect(Math.max(...pauses, 2_000)).toBeLessThanOrEqual(10_000)
  },
)

test('names the newest source file that it ignored, and loads it on request', async () => {
  const { emulator, reloader, change, shown, restart, warn } = start({ needsRestart: true })
  change('src/sidebar.ts', 'during')
  await expect.poll(() => shown).toHaveLength(1)
  expect(emulator.ignoredChange.current).toBeUndefined()
  change('src/sidebar.ts', 'during')
  change('cache.json', 'during')
  expect(warn.mock.calls[0]).toEqual([expect.stringContaining('src/sidebar.ts changed while')])
  expect(emulator.ignoredChange.current).toEqual({
    file: 'src/sidebar.ts',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(restart).toHaveBeenCalledTimes(1)
  reloader.loadIgnored()
  await expect.poll(() => shown).toHaveLength(2)
  expect(restart).toHaveBeenCalledTimes(2)
  expect(emulator.ignoredChange.current).toBeUndefined()
})

test('no longer names an ignored file after a save, which loads all files', async () => {
  const { emulator, change, shown } = start({ needsRestart: true })
  change('state.json', 'during')
  expect(emulator.ignoredChange.current?.file).toBe('state.json')
  change('src/sidebar.ts')
  await expect.poll(() => shown).toHaveLength(1)
  expect(emulator.ignoredChange.current).toBeUndefined()
})
