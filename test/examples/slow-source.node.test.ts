import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { createTestService } from 'sidecard/testing'

/**
 * A source that takes 20 ms, fails the first request of every fifth account, hangs
 * for one account, and can be stopped. A repeated request never fails, so that the
 * order of concurrent requests does not decide a test.
 */
const source = { requests: 0, failed: 0, server: undefined as Server | undefined, port: 0 }

const asked = new Set<string | undefined>()

async function startSource(): Promise<void> {
  const server = createServer(({ url }, response) => {
    source.requests += 1
    if (url?.includes('hanging')) return
    const isFirst = !asked.has(url)
    asked.add(url)
    const fails = isFirst && asked.size % 5 === 0
    if (fails) source.failed += 1
    setTimeout(() => {
      response.statusCode = fails ? 503 : 200
      response.end(JSON.stringify({ requests: source.requests, quota: 10_000 }))
    }, 20)
  })
  server.listen(source.port, '127.0.0.1')
  await once(server, 'listening')
  source.server = server
  source.port = (server.address() as AddressInfo).port
}

async function stopSource(): Promise<void> {
  source.server?.closeAllConnections()
  await new Promise((resolve) => source.server?.close(resolve))
}

let service: ReturnType<typeof createTestService>

// Each test has a new source, cache and circuit breaker.
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  Object.assign(source, { requests: 0, failed: 0, port: 0 })
  asked.clear()
  await startSource()
  vi.resetModules()
  const { app } = await import('../../examples/slow-source/app.ts')
  service = createTestService(app, { env: { USAGE_URL: `http://127.0.0.1:${source.port}` } })
  await service.connect()
  return stopSource
})

async function open(accountId: string) {
  const startedAt = performance.now()
  const { text, failures } = await service.openIssue({ account_id: accountId })
  const kinds = failures.map(({ kind, stale }) => (stale ? `${kind};stale` : kind))
  return { text, kinds, ms: performance.now() - startedAt }
}

/**
 * Stale content is shown immediately while its refresh is retried. The failure is
 * known afterwards.
 */
async function openUntilFailure(accountId: string): ReturnType<typeof open> {
  const opened = await open(accountId)
  return opened.kinds.length > 0 ? opened : openUntilFailure(accountId)
}

/** Advances the clock of the cache and the circuit breaker. Timers stay real. */
function moveClock(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000)
}

test('agents do not notice that one request in five fails', async () => {
  const opened: Awaited<ReturnType<typeof open>>[] = []
  while (opened.length < 50) {
    // On a busy machine, 50 at once would wait for each other until the section's timeout.
    const accounts = [1, 2, 3, 4, 5].map((number) => `acc_${opened.length + number}`)
    // oxlint-disable-next-line no-await-in-loop -- five at once
    opened.push(...(await Promise.all(accounts.map(open))))
  }
  expect(source.failed).toBeGreaterThanOrEqual(10)
  expect(opened.flatMap(({ kinds }) => kinds)).toEqual([])
  expect(opened.filter(({ text }) => !text.includes('Quota'))).toEqual([])
}, 20_000)

test('a request that hangs affects only its section, and is not retried', async () => {
  const { text, kinds, ms } = await open('hanging')
  expect(kinds).toEqual(['section_timeout'])
  expect(text).toMatch(/Account +hanging/)
  expect(ms).toBeGreaterThan(1_450)
  expect(source.requests).toBe(1)
}, 20_000)

test('while the source is down, agents see stale content, and the source is not called', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    expect((await open('acc_1')).kinds).toEqual([])
    await stopSource()
    moveClock(120)
    const known = await openUntilFailure('acc_1')
    expect(known.kinds).toEqual(['section_failed;stale'])
    expect(known.text).toMatch(/Quota[^]*As of/)
    const failed = await open('new_1')
    expect(failed.kinds).toEqual(['section_failed'])

    // The breaker is open, so the source is not called for ten seconds, even if it is available
    // again.
    await startSource()
    const before = source.requests
    expect((await open('new_2')).kinds).toEqual(['section_failed'])
    expect(source.requests).toBe(before)

    moveClock(11)
    const recovered = await open('new_3')
    expect(recovered.kinds).toEqual([])
    expect(recovered.text).toMatch(/Quota/)
    expect(source.requests).toBeGreaterThan(before)
  } finally {
    vi.useRealTimers()
  }
}, 20_000)

test('the guide shows this program', async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const guide = await read('docs/guides/slow-sources.md')
  expect(guide).toContain(`\n${await read('examples/slow-source/app.ts')}\`\`\``)
})
