import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { healthCheck, noAuth, section, sidecard, text } from 'sidecard'
import { SETUP_PROBLEMS } from '../../../src/runtime/internal/setup.ts'
import { createTestApp, FETCH_DATA, neverResolves, readPayload } from '../../helpers/app.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const content = text({ label: 'Plan', value: 'Pro' })
const rejects = () => Promise.reject(new Error('down'))

test.each<[string, () => any]>([
  ['resolves', async () => [content]],
  ['rejects', rejects],
  ['returns an invalid payload', async () => [7]],
  ['has a section', () => [section('S', async () => content)]],
  ['has a section with a timeout', () => [section('S', async () => content, { timeoutMs: 900 })]],
  ['has a section that fails', () => [section('S', rejects, { timeoutMs: 900 })]],
  ['has a section that throws', () => [section('S', throws, { timeoutMs: 900 })]],
])('fetchData that %s leaves no timer behind', async (_, fetchData) => {
  await createTestApp({ logger: false, fetchData }).request(FETCH_DATA)
  expect(vi.getTimerCount()).toBe(0)
})

function throws(): never {
  throw new Error('down')
}

test('a section without a timeout may take as long as the app', async () => {
  const load = async () => {
    await new Promise((ready) => setTimeout(ready, 3_000))
    return content
  }
  const response = createTestApp({ fetchData: () => [section('S', load)] }).request(FETCH_DATA)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await readPayload(await response)).components).toHaveLength(1)
})

test('a health check leaves no timer behind', async () => {
  const app = healthCheck({ sources: { up: async () => undefined, down: rejects } })
  expect((await app.request('/')).status).toBe(503)
  expect(vi.getTimerCount()).toBe(0)
})

test('the check of the setup leaves no timer behind', async () => {
  const validate = async (value: unknown) => ({ value: value as object })
  const schema = { '~standard': { version: 1 as const, vendor: 'test', validate } }
  const app = sidecard(schema, { header: { title: 'a' }, auth: noAuth(), fetchData: () => [] })
  expect(await (app as any)[SETUP_PROBLEMS]({})).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})

test('a signal that is first read after the timeout is aborted', async () => {
  const { promise, resolve } = Promise.withResolvers<AbortSignal>()
  const app = createTestApp({
    logger: false,
    async fetchData(ctx) {
      await new Promise((ready) => setTimeout(ready, 9_000))
      resolve(ctx.signal)
      return neverResolves()
    },
  })
  const response = app.request(FETCH_DATA)
  await vi.advanceTimersByTimeAsync(9_000)
  expect((await response).headers.get('x-sidecard-failure')).toBe('timeout')
  const signal = await promise
  expect([signal.aborted, signal.reason.name, signal.reason.message]).toEqual([
    true,
    'TimeoutError',
    'Timed out after 5000 ms.',
  ])
})
