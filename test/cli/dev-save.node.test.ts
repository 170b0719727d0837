import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { trackRequests } from '../../src/cli/dev/request-tracker.ts'
import { watchSource } from '../../src/cli/dev/source-watcher.ts'
import { openWorkspace, temporaryFolder } from '../helpers/dev-command.ts'
import { type AppBehavior, GRACE_MS, startApp, startSession } from '../helpers/dev-session.ts'

/** A session whose page loads the sidebar after each event, as a browser does. */
async function start(behavior: AppBehavior = { says: 'first' }) {
  const app = await startApp(behavior)
  const session = startSession({ url: app.url })
  await session.until(/connected .*\n/)
  const workspace = await openWorkspace(await session.workspaceUrl())
  const shown: string[] = [(await workspace.sidebar()).says]
  await sleep(GRACE_MS)
  const loadPages = async () => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- as the page does: one load for each event
      await workspace.nextChange()
      // oxlint-disable-next-line no-await-in-loop -- as above
      shown.push((await workspace.sidebar()).says)
    }
  }
  void loadPages().catch(() => undefined)
  return {
    app,
    shown,
    stop: session.stop,
    save: (path: string) => writeFileSync(join(session.cwd, path), String(performance.now())),
  }
}

/** Waits for these loads, and longer than the next one would take. */
async function expectLoads(
  shown: readonly string[],
  expected: readonly string[],
  nextMs = 600,
): Promise<void> {
  await expect.poll(() => shown.length, { timeout: 3_000 }).toBe(expected.length)
  await sleep(nextMs)
  expect(shown).toEqual(expected)
}

describe('a save', () => {
  test('loads the sidebar once if the response changes', async () => {
    const { app, shown, save } = await start()
    app.behavior.says = 'second'
    save('app.ts')
    await expectLoads(shown, ['first', 'second'])
  })

  test('loads the sidebar once while a slow response is pending', async () => {
    const { app, shown, save } = await start()
    app.behavior.says = 'second'
    app.behavior.onFetch = () => sleep(500)
    save('app.ts')
    await expectLoads(shown, ['first', 'second'], 1_000)
  })

  test('loads the sidebar twice if the response does not change', async () => {
    const { shown, save } = await start()
    save('app.ts')
    await expectLoads(shown, ['first', 'first', 'first'])
  })

  test('replaces the one right before it', async () => {
    const { app, shown, save } = await start()
    app.behavior.says = 'second'
    save('app.ts')
    await sleep(100)
    save('app.ts')
    await expectLoads(shown, ['first', 'second'])
  })

  test('that restarts the app loads the sidebar once, when it listens again', async () => {
    const { app, shown, save } = await start()
    save('app.ts')
    await app.stop()
    await sleep(200)
    app.behavior.says = 'second'
    await app.start()
    await expectLoads(shown, ['first', 'second'])
  })

  test('that restarts the app after the first load loads the sidebar again', async () => {
    const { app, shown, save } = await start()
    save('app.ts')
    await expect.poll(() => shown.length, { interval: 10 }).toBe(2)
    await app.stop()
    await sleep(200)
    app.behavior.says = 'second'
    await app.start()
    await expect.poll(() => shown.at(-1), { timeout: 10_000 }).toBe('second')
    // On a slow machine, the sidebar also loads before the restart is noticed, or while the app is
    // away.
    expect(shown.slice(0, 2)).toEqual(['first', 'first'])
    await sleep(1_000)
    expect(shown.length).toBeLessThanOrEqual(4)
    expect(shown.at(-1)).toBe('second')
  })

  test('by the app itself, during its response, loads nothing', async () => {
    const { app, shown, save } = await start()
    app.behavior.onFetch = () => save('cache.ts')
    app.behavior.says = 'second'
    save('app.ts')
    await expectLoads(shown, ['first', 'second'])
  })

  test('by the app itself does not replace the save that caused the response', async () => {
    const { app, shown, save } = await start()
    app.behavior.onFetch = () => save('cache.ts')
    save('app.ts')
    await expectLoads(shown, ['first', 'first', 'first'])
  })

  test('right before the end is not an error', async () => {
    const { stop, save } = await start()
    save('app.ts')
    expect(await stop()).toBe(0)
  })
})

describe('the watcher', () => {
  /** Watches a separate folder for each path, writes there, and returns the paths that count. */
  async function findCounted(paths: readonly string[], ignore = ''): Promise<readonly string[]> {
    const counted = new Set<string>()
    for (const path of [...paths, 'last.ts']) {
      const folder = temporaryFolder()
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, '.gitignore'), ignore)
      const stop = watchSource(folder, {
        isDisturbed: () => false,
        onNotice: () => undefined,
        onChange: () => counted.add(path),
        onProblem: (message) => expect.unreachable(message),
      })
      onTestFinished(stop)
      writeFileSync(join(folder, path), 'x')
    }
    await expect.poll(() => counted.has('last.ts')).toBe(true)
    // Longer than a burst of changes may take.
    await sleep(150)
    return paths.filter((path) => counted.has(path))
  }

  const extensions =
    'js mjs cjs ts mts cts jsx tsx json jsonc json5 toml yaml yml ini properties xml sql graphql gql prisma htm html css vue svelte astro ejs hbs py rb php go rs java kt kts scala groovy cs fs ex exs erl clj cljs swift dart lua pl sh wasm'

  test('counts source files, also in subfolders', async () => {
    const files = [
      ...extensions.split(' ').map((extension) => `a.${extension}`),
      'A.TS',
      '.env',
      '.env.local',
      '.dev.vars',
      'Dockerfile',
      'Makefile',
      'sub/deep/Dockerfile',
      'sub/.env',
      'sub/a.test.ts',
      'dist-tools/a.ts',
      'x.git/a.ts',
    ]
    expect(await findCounted(files)).toEqual(files)
  })

  test('does not count other files, folders of tools, and ignored files', async () => {
    const files = [
      'app.log',
      'data.sqlite',
      'notes.txt',
      '.server.mjs.swp',
      'src/.#app.ts',
      '4913',
      'ats',
      'a.ts~',
      'a.tsz',
      'a.jsonl',
      'x.env',
      'x.dev.vars',
      '.dev.vars.bak',
      '.environment',
      'MyDockerfile',
      'Dockerfile.orig',
      'Makefile~',
      'node_modules/a/index.js',
      'sub/node_modules/a.js',
      '.git/config.json',
      '.wrangler/tmp/a.js',
      '.cache/a.json',
      'dist/index.js',
      'coverage/index.html',
      'generated/a.ts',
    ]
    expect(await findCounted(files, 'generated/\n')).toEqual([])
  })

  test('reports a burst once, and whether the app may have made every change of it', async () => {
    const folder = temporaryFolder()
    const reported: boolean[] = []
    let isDisturbed = true
    const stop = watchSource(folder, {
      isDisturbed: () => isDisturbed,
      onNotice: () => undefined,
      onChange: (changes) => reported.push(changes.every(({ disturbed }) => disturbed)),
      onProblem: (message) => expect.unreachable(message),
    })
    onTestFinished(stop)
    const write = async (...paths: readonly string[]) => {
      for (const path of paths) writeFileSync(join(folder, path), 'x')
      await expect.poll(() => reported.length).toBeGreaterThan(0)
      return reported.splice(0)
    }
    expect(await write('a.ts', 'b.ts')).toEqual([true])
    isDisturbed = false
    expect(await write('a.ts', 'b.ts')).toEqual([false])
    // The same file again, by the app.
    writeFileSync(join(folder, 'c.ts'), 'x')
    await sleep(30)
    isDisturbed = true
    expect(await write('c.ts', 'd.ts')).toEqual([false])
  })
})

describe('responses to the workspace', () => {
  const URL = 'http://x/?request_type=fetch_data&issue_id='

  /** Sends requests whose responses are these, and returns how many differed. */
  async function countChanges(
    responses: ReadonlyArray<readonly [url: string, response: Response | Error]>,
  ): Promise<number> {
    const left = responses.map(([, response]) => response)
    const tracker = trackRequests(async () => {
      const next = left.shift()
      if (next instanceof Error || next === undefined) throw next
      return next
    })
    for (const [url] of responses) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await tracker.fetch(new Request(url)).catch(() => undefined)
      // oxlint-disable-next-line no-await-in-loop -- as above
      while (tracker.isPending()) await setImmediate()
    }
    return tracker.changes
  }

  const failure = (trace: string) =>
    new Response(`failed, trace ${trace}`, { headers: { 'x-sidecard-trace': trace } })
  const broken = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('x')) }))

  test.each<[number, string, ReadonlyArray<readonly [string, Response | Error]>]>([
    [1, 'the first response', [[`${URL}1`, new Response('a')]]],
    [
      1,
      'the same text',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}1`, new Response('a')],
      ],
    ],
    [
      2,
      'another text',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}1`, new Response('b')],
      ],
    ],
    [
      2,
      'another status',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}1`, new Response('a', { status: 500 })],
      ],
    ],
    [
      2,
      'another status without a body',
      [
        [`${URL}1`, new Response(null, { status: 204 })],
        [`${URL}1`, new Response(null, { status: 304 })],
        [`${URL}1`, new Response(null, { status: 304 })],
      ],
    ],
    [
      1,
      'another trace ID',
      [
        [`${URL}1`, failure('abc')],
        [`${URL}1`, failure('xyz')],
      ],
    ],
    [
      2,
      'no response',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}1`, new Error('down')],
        [`${URL}1`, new Error('down again')],
      ],
    ],
    [
      2,
      'an incomplete body',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}1`, broken()],
        [`${URL}1`, broken()],
      ],
    ],
    [
      2,
      'another URL',
      [
        [`${URL}1`, new Response('a')],
        [`${URL}2`, new Response('a')],
        [`${URL}1`, new Response('a')],
      ],
    ],
    [
      0,
      'handshakes',
      [
        ['http://x/?request_type=verify&code=1', new Response('1')],
        ['http://x/?request_type=verify&code=2', new Response('2')],
      ],
    ],
  ])('%d changes: %s', async (changes, _name, responses) => {
    expect(await countChanges(responses)).toBe(changes)
  })

  test('of the last 500 URLs are remembered', async () => {
    const many = Array.from(
      { length: 501 },
      (_, index) => [`${URL}${index}`, new Response('a')] as const,
    )
    expect(await countChanges([...many, [`${URL}1`, new Response('a')]])).toBe(501)
    const again = many.map(([url]) => [url, new Response('a')] as const)
    expect(await countChanges([...again, [`${URL}0`, new Response('a')]])).toBe(502)
  })

  test('count as active until 200 ms after their end', async () => {
    let now = 0
    const { promise, resolve } = Promise.withResolvers<Response>()
    const tracker = trackRequests(
      () => promise,
      () => now,
    )
    expect([tracker.isPending(), tracker.isActive()]).toEqual([false, false])
    const fetched = tracker.fetch(new Request(`${URL}1`))
    expect([tracker.isPending(), tracker.isActive()]).toEqual([true, true])
    now = 1_000
    resolve(new Response(null, { status: 204 }))
    await fetched
    expect([tracker.isPending(), tracker.isActive()]).toEqual([false, true])
    now = 1_199
    expect(tracker.isActive()).toBe(true)
    now = 1_200
    expect(tracker.isActive()).toBe(false)
  })
})
