import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, type TestContext, vi } from 'vitest'
import { watchSource } from '../../../src/tools/cli/dev/watch/source-watcher.ts'
import { openWorkspace, temporaryFolder } from '../../helpers/dev-command.ts'
import { type AppBehavior, GRACE_MS, startApp, startSession } from '../../helpers/dev-session.ts'

/** A session whose page loads the sidebar after each event, as a browser does. */
async function start({ onTestFinished: onEnd }: TestContext, behavior: AppBehavior) {
  const app = await startApp(behavior, onEnd)
  const session = startSession({ url: app.url, json: true }, { onEnd })
  await session.until(/"event":"ready"/)
  const [, page = ''] = /"workspace":"([^"]+)"/.exec(session.output()) ?? []
  const workspace = await openWorkspace(page, onEnd)
  const shown: string[] = [(await workspace.sidebar()).says]
  const notes: unknown[] = []
  const loadPages = async () => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- as the page does: one load for each event
      const event = await workspace.nextChange()
      if (event.note !== undefined) notes.push(event.note)
      // oxlint-disable-next-line no-await-in-loop -- as above
      shown.push((await workspace.sidebar(event)).says)
    }
  }
  void loadPages().catch(() => undefined)
  const write = (path: string, text: string) => writeFileSync(join(session.cwd, path), text)
  return {
    app,
    shown,
    notes,
    stop: session.stop,
    workspace,
    write,
    save: (path: string) => write(path, String(performance.now())),
    /** The names of the events after the start. */
    events: () =>
      [...session.output().matchAll(/^\{"event":"(\w+)"/gm)]
        .map(([, name]) => name)
        .filter((name) => name !== 'ready'),
  }
}

/** Waits for these loads, and longer than the next one would take. */
async function expectLoads(
  { expect }: TestContext,
  shown: readonly string[],
  expected: readonly string[],
  nextMs = 1_600,
): Promise<void> {
  await expect.poll(() => shown.length, { timeout: 10_000 }).toBe(expected.length)
  await sleep(nextMs)
  expect(shown).toEqual(expected)
}

describe.concurrent('a save of an app whose responses have an ID', () => {
  const first: AppBehavior = { says: 'first', instance: 'one' }

  test('loads the sidebar once, when new code responds', async (context) => {
    const { expect } = context
    const { app, shown, events, save } = await start(context, { ...first })
    save('app.ts')
    Object.assign(app.behavior, { says: 'second', instance: 'two' })
    await expectLoads(context, shown, ['first', 'second'])
    expect(events()).toEqual(['reloaded'])
  })

  test('that has no effect shows the sidebar as it is after some seconds, and says so', async (context) => {
    const { expect } = context
    const { app, shown, events, notes, save } = await start(context, { ...first })
    save('app.ts')
    await expectLoads(context, shown, ['first', 'first'], 0)
    await expect.poll(events).toEqual(['unchanged'])
    expect(notes).toEqual(['No new code'])
    Object.assign(app.behavior, { says: 'second', instance: 'two' })
    await expectLoads(context, shown, ['first', 'first', 'second'])
    expect(events()).toEqual(['unchanged', 'reloaded'])
  })

  test('is reported when new code has sent the data', async (context) => {
    const { expect } = context
    const { app, shown, events, save } = await start(context, { ...first })
    Object.assign(app.behavior, { instance: 'two', fetchInstance: 'one' })
    save('app.ts')
    await expect.poll(() => shown.length).toBeGreaterThan(2)
    expect(events()).toEqual([])
    Object.assign(app.behavior, { says: 'second', fetchInstance: 'two' })
    await expect.poll(events).toEqual(['reloaded'])
    // The response reaches the page after its report.
    await expect.poll(() => shown.at(-1)).toBe('second')
  })

  test('loads the sidebar once while a slow response is pending', async (context) => {
    const { app, shown, save } = await start(context, { ...first })
    Object.assign(app.behavior, { says: 'second', instance: 'two', onFetch: () => sleep(3_000) })
    save('app.ts')
    await expectLoads(context, shown, ['first', 'second'])
  })

  test('by the app itself waits, until a person chooses Reload in the page', async (context) => {
    const { expect } = context
    const { app, shown, events, save, workspace } = await start(context, { ...first })
    save('state.json')
    const write = () => save('state.json')
    Object.assign(app.behavior, { says: 'second', instance: 'two', onFetch: write })
    save('app.ts')
    await expect.poll(() => shown.at(-1)).toBe('second')
    const waits = async () => (await workspace.get('state')).saves[0].held?.file
    await expect.poll(waits).toBe('state.json')
    expect(events()).toEqual(['reloaded'])
    await workspace.send('POST', 'saves/load')
    await expect.poll(events).toEqual(['reloaded', 'fetched'])
  })

  test('of an app that is created for each request is fetched at most twice', async (context) => {
    const { expect } = context
    let count = 0
    const { shown, events, save } = await start(context, {
      says: 'first',
      instance: () => `code_${(count += 1)}`,
    })
    save('app.ts')
    await expectLoads(context, shown, ['first', 'first', 'first'], 3_000)
    expect(new Set(events())).toEqual(new Set(['fetched']))
  })

  test('waits while the server of a different project uses the port', async (context) => {
    const { expect } = context
    const { app, shown, events, save, workspace } = await start(context, { ...first })
    Object.assign(app.behavior, { says: 'other', instance: 'two', project: 'orders.0123456789ab' })
    expect((await workspace.openIssue()).message).toMatch(
      /^the endpoint is unreachable \(the project "orders" in a different folder uses port \d+\)/,
    )
    save('app.ts')
    await expect.poll(async () => (await workspace.get('state')).saves[0].phase).toBe('waiting')
    Object.assign(app.behavior, { says: 'second', instance: 'three', project: undefined })
    await expect.poll(() => shown.at(-1)).toBe('second')
    expect(shown).not.toContain('other')
    expect(events()).toEqual(['failed', 'reloaded'])
  })

  test('right before the end is not an error', async (context) => {
    const { expect } = context
    const { stop, save } = await start(context, { ...first })
    save('app.ts')
    expect(await stop()).toBe(0)
  })
})

describe.concurrent('a save of an app without an ID', () => {
  test('loads the sidebar at most twice', async (context) => {
    const { expect } = context
    const { app, shown, events, save } = await start(context, { says: 'first' })
    app.behavior.says = 'second'
    app.behavior.onFetch = () => save('state.json')
    save('app.py')
    await expectLoads(context, shown, ['first', 'second', 'second'], 3_000)
    expect(events()).toEqual(['fetched', 'fetched'])
  })

  test('loads the sidebar twice, if it restarts after the first time', async (context) => {
    const { expect } = context
    const { app, shown, save } = await start(context, { says: 'first' })
    save('app.py')
    await expect.poll(() => shown.length, { interval: 10 }).toBe(2)
    await app.stop()
    await sleep(200)
    app.behavior.says = 'second'
    await app.start()
    await expectLoads(context, shown, ['first', 'first', 'second'])
  })

  test('loads the sidebar once, if it restarts at the save', async (context) => {
    const { expect } = context
    const { app, shown, save } = await start(context, { says: 'first' })
    await app.stop()
    save('app.py')
    await sleep(200)
    app.behavior.says = 'second'
    await app.start()
    await expect.poll(() => shown.at(-1), { timeout: 10_000 }).toBe('second')
    expect(shown.length).toBeLessThanOrEqual(3)
  })
})

describe('the watcher', () => {
  /** Watches a separate folder for each path, writes there, and returns a function that lists the paths that counted. */
  async function watchPaths(paths: readonly string[], ignore = '') {
    const counted = new Set<string>()
    for (const path of [...paths, 'last.ts']) {
      const folder = temporaryFolder()
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, '.gitignore'), ignore)
      // A new file of data does not count.
      writeFileSync(join(folder, path), 'before')
      const stop = watchSource(folder, {
        onNotice: () => undefined,
        onChange: () => counted.add(path),
        onProblem: (message) => expect.unreachable(message),
      })
      onTestFinished(stop)
      writeFileSync(join(folder, path), 'x')
    }
    await expect.poll(() => counted.has('last.ts')).toBe(true)
    return () => paths.filter((path) => counted.has(path))
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
      'dist-tools/a.ts',
      'x.git/a.ts',
    ]
    await expect.poll(await watchPaths(files)).toEqual(files)
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
      'sub/a.test.ts',
      'test/a.ts',
    ]
    const counted = await watchPaths(files, 'generated/\n')
    // Longer than a burst of changes may take.
    await sleep(150)
    expect(counted()).toEqual([])
  })

  test('counts files of any kind that git tracks, if a source file names them or their folder', async () => {
    const folder = temporaryFolder()
    const names = ['rates.csv', 'prompt.md', 'views/page.liquid', 'logo.svg', 'greeting.txt']
    const others = ['README.md', 'docs/guide.md', 'untracked.csv', 'test/app.test.ts']
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    for (const path of [...names, ...others]) write(path, 'first')
    const code = "read('rates.csv'); read('./prompt.md'); render('page'); read(`logo.svg`)"
    write('app.ts', `${code}; load('greeting'); read('untracked.csv')`)
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '--quiet')
    git('add', '.', ':!untracked.csv')
    const counted = new Set<string>()
    const stop = watchSource(folder, {
      onNotice: () => undefined,
      onChange: (files) => files.forEach(({ path }) => counted.add(path)),
      onProblem: (message) => expect.unreachable(message),
    })
    onTestFinished(stop)
    // Git answers some time after the start.
    await vi.waitFor(
      () => {
        for (const path of [...others, ...names]) write(path, String(performance.now()))
        expect([...counted].toSorted()).toEqual(names.toSorted())
      },
      { timeout: 10_000, interval: 200 },
    )
  })

  test('reports a burst once, with the time of its last change', async () => {
    const folder = temporaryFolder()
    const reported: { paths: readonly string[]; at: number }[] = []
    const stop = watchSource(folder, {
      onNotice: () => undefined,
      onChange: (files, at) => reported.push({ paths: files.map(({ path }) => path), at }),
      onProblem: (message) => expect.unreachable(message),
    })
    onTestFinished(stop)
    for (const path of ['a.ts', 'b.ts']) writeFileSync(join(folder, path), 'first')
    await sleep(30)
    const lastAt = performance.now()
    writeFileSync(join(folder, 'b.ts'), 'second')
    await expect.poll(() => reported.at(-1)?.at).toBeGreaterThanOrEqual(lastAt)
    // A busy machine may need longer than a burst takes.
    expect(reported.length).toBeLessThanOrEqual(2)
    expect(reported[0]?.paths).toEqual(['a.ts', 'b.ts'])
  })

  test('knows whether the bytes of a file changed, also since before the start', async () => {
    const folder = temporaryFolder()
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
    write('a.ts', 'one')
    // The time of the file is before the start.
    await sleep(20)
    const reported: boolean[] = []
    const stop = watchSource(folder, {
      onNotice: () => undefined,
      onChange: (changes) => reported.push(...changes.map(({ isSame }) => isSame)),
      onProblem: (message) => expect.unreachable(message),
    })
    onTestFinished(stop)
    await sleep(GRACE_MS)
    for (const text of ['one', 'two', 'two', 'one']) {
      const before = reported.length
      write('a.ts', text)
      // oxlint-disable-next-line no-await-in-loop -- one save after another
      await expect.poll(() => reported.length).toBe(before + 1)
    }
    expect(reported).toEqual([true, false, true, false])
  })

  test('does not count a report, which is a data file that is new', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'old.json'), '{ "a": 1 }')
    await sleep(20)
    const reported: string[] = []
    const stop = watchSource(folder, {
      onNotice: () => undefined,
      onChange: (changes) => reported.push(...changes.map(({ path }) => path)),
      onProblem: (message) => expect.unreachable(message),
    })
    onTestFinished(stop)
    await sleep(GRACE_MS)
    writeFileSync(join(folder, 'report.json'), '{ "verdict": "conforms" }')
    writeFileSync(join(folder, 'sidecard.local.json'), '{}')
    await expect.poll(() => reported).toEqual(['sidecard.local.json'])
    writeFileSync(join(folder, 'old.json'), '{ "a": 2 }')
    await expect.poll(() => reported).toEqual(['sidecard.local.json', 'old.json'])
  })
})
