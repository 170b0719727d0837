import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SidecardError } from '../../../src/runtime/internal/errors.ts'
import { memoryStore, sectionCache } from 'sidecard/cache'
import {
  createCache,
  createNumberedSource,
  fetchContent,
  fetchSection,
  uniqueName,
} from '../../helpers/cache.ts'

const START = 1_800_000_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

const down = () => Promise.reject(new Error('down'))

const create = () =>
  sectionCache({ name: uniqueName(), store: memoryStore(), ttlSeconds: 60, staleSeconds: 600 })

/** Creates a section cache with the content `[1]`, which has been stale for a second. */
async function createStale() {
  const cache = create()
  await fetchSection(cache, { load: async () => '[1]' })
  vi.setSystemTime(START + 61_000)
  return cache
}

test('after a success, the pause after a failure is short again', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 1, staleSeconds: 600 })
  const { load } = createNumberedSource()
  const attempts: number[] = []
  const ask = async (isDown: boolean) => {
    const { scope } = await fetchContent(cache, {
      load: async () => {
        attempts.push(Date.now() - START)
        return isDown ? down() : load()
      },
    })
    await scope.finish()
  }
  for (const [second, isDown] of [
    false,
    false,
    true,
    true,
    true,
    false,
    false,
    true,
    true,
  ].entries()) {
    vi.setSystemTime(START + second * 2_000)
    await ask(isDown)
  }
  expect(attempts.map((ms) => ms / 2_000)).toEqual([0, 1, 2, 3, 4, 6, 7, 8])
})

test('a clock that goes back does not extend the pause after a failure', async () => {
  const cache = createCache({ store: memoryStore(), ttlSeconds: 0.001, staleSeconds: 6_000 })
  const source = createNumberedSource()
  await fetchContent(cache, source)
  vi.setSystemTime(START + 5_000)
  await (await fetchContent(cache, { load: down })).scope.finish()
  vi.setSystemTime(START + 3_000)
  await (await fetchContent(cache, source)).scope.finish()
  expect(source.calls).toBe(2)
})

test('during an outage, stale content is refreshed once per pause, and shown with the error', async () => {
  const cache = await createStale()
  const attempts: number[] = []
  for (let second = 0; second < 40; second += 1) {
    for (let request = 0; request < 3; request += 1) {
      const load = () => {
        attempts.push(second)
        return down()
      }
      const result = await fetchSection(cache, { load })
      expect(result).toMatchObject({ text: 'stale [1]', error: { message: 'down' } })
      await result.scope.finish()
    }
    vi.advanceTimersByTime(1_000)
  }
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31])
  vi.advanceTimersByTime(30_000)
  expect((await fetchSection(cache, { load: async () => '[2]' })).text).toBe('miss [2]')
})

test.each(['not_found', 'ambiguous', 'not_available'])(
  'content that the load says is wrong (%s) is not shown in a pause',
  async (code) => {
    const cache = await createStale()
    const gone = new SidecardError(code, 'No customer.')
    for (const _request of [1, 2, 3]) {
      await expect(fetchSection(cache, { load: () => Promise.reject(gone) })).rejects.toBe(gone)
    }
  },
)

test('a load without content is not paused: each request tries again', async () => {
  const cache = create()
  for (const _request of [1, 2]) {
    await expect(fetchSection(cache, { load: down })).rejects.toThrow('down')
  }
  expect((await fetchSection(cache, { load: async () => '[1]' })).text).toBe('miss [1]')
})
