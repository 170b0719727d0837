import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchSource } from '../../../src/tools/cli/dev/watch/source-watcher.ts'
import { temporaryFolder } from '../../helpers/dev-command.ts'
import { eventually } from '../../helpers/eventually.ts'

vi.mock(import('node:fs'), async (original) => {
  const actual = await original()
  return { ...actual, watch: vi.fn(actual.watch) as unknown as typeof actual.watch }
})

/** Watches a folder, and returns the paths of changes and the problems. */
function startWatching(folder: string) {
  const changed: string[] = []
  const problems: string[] = []
  const stop = watchSource(folder, {
    onNotice: () => undefined,
    onChange: (changes) => changed.push(...changes.map(({ path }) => path)),
    onProblem: (message) => problems.push(message),
  })
  onTestFinished(stop)
  /** Makes a change, and waits until it is reported. */
  const expectChange = async (change: () => void, path: string) => {
    changed.length = 0
    change()
    await eventually(() => expect(changed).toContain(path))
  }
  return { changed, problems, expectChange, stop }
}

function project(...files: readonly string[]): string {
  const folder = temporaryFolder()
  for (const path of files) write(folder, path)
  return folder
}

function write(folder: string, path: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), String(performance.now()))
}

test('a file that is replaced ten times is noticed ten times', async () => {
  const folder = project('src/app.ts', '.env')
  const { expectChange } = startWatching(folder)
  for (let count = 0; count < 10; count += 1) {
    for (const path of ['src/app.ts', '.env']) {
      const replace = () => {
        write(folder, `${path}.tmp~`)
        renameSync(join(folder, `${path}.tmp~`), join(folder, path))
      }
      // oxlint-disable-next-line no-await-in-loop -- one save after another
      await expectChange(replace, path)
    }
  }
})

test('files in a folder that is new, removed, created again or replaced are noticed', async () => {
  const folder = project('package.json')
  const { expectChange } = startWatching(folder)
  const save = () => write(folder, 'src/deep/app.ts')
  await expectChange(save, 'src/deep/app.ts')
  await expectChange(save, 'src/deep/app.ts')
  await expectChange(() => rmSync(join(folder, 'src'), { recursive: true }), 'src/')
  await expectChange(save, 'src/deep/app.ts')
  await expectChange(() => {
    write(folder, 'other/deep/app.ts')
    renameSync(join(folder, 'src'), join(folder, 'old'))
    renameSync(join(folder, 'other'), join(folder, 'src'))
  }, 'src/deep/app.ts')
  await expectChange(save, 'src/deep/app.ts')
  await expectChange(() => write(folder, 'old/deep/app.ts'), 'old/deep/app.ts')
})

test('links to folders are followed, even if they lead to a parent', async () => {
  const shared = project('lib/shared.ts')
  const folder = project('src/app.ts')
  symlinkSync(join(shared, 'lib'), join(folder, 'src/lib'))
  symlinkSync(folder, join(folder, 'src/self'))
  symlinkSync(join(folder, 'loop'), join(folder, 'loop'))
  const { expectChange, problems } = startWatching(folder)
  await expectChange(() => write(shared, 'lib/shared.ts'), 'src/lib/shared.ts')
  await expectChange(() => write(folder, 'src/app.ts'), 'src/app.ts')
  expect(problems).toEqual([])
})

test('a folder that .gitignore lists no longer is watched', async () => {
  const folder = project('generated/a.ts', 'src/app.ts')
  writeFileSync(join(folder, '.gitignore'), 'generated/\n')
  const { changed, expectChange } = startWatching(folder)
  write(folder, 'generated/a.ts')
  await expectChange(() => write(folder, 'src/app.ts'), 'src/app.ts')
  expect(changed).toEqual(['src/app.ts'])
  writeFileSync(join(folder, '.gitignore'), '')
  await vi.waitFor(
    () => {
      write(folder, 'generated/a.ts')
      expect(changed).toContain('generated/a.ts')
    },
    { timeout: 10_000, interval: 200 },
  )
})

test('a file that changes all the time does not delay the report of another one', async () => {
  const folder = project('app.ts', 'state.json')
  const { expectChange } = startWatching(folder)
  const timer = setInterval(() => write(folder, 'state.json'), 10)
  onTestFinished(() => clearInterval(timer))
  await expectChange(() => write(folder, 'app.ts'), 'app.ts')
})

test('packages are not watched, however many there are', async () => {
  const folder = project('src/app.ts', 'node_modules/a/b/c/index.js', 'sub/node_modules/a/index.js')
  vi.mocked(fs.watch).mockClear()
  startWatching(folder)
  expect(vi.mocked(fs.watch)).toHaveBeenCalledTimes(3)
})

test('more than 5,000 folders are reported once, and the first ones are watched', async () => {
  const folder = project('app.ts')
  for (let count = 0; count < 5_010; count += 1) mkdirSync(join(folder, `z${count}`))
  const { problems, expectChange } = startWatching(folder)
  expect(problems).toEqual([
    'Only 5000 folders are watched, and there are more. List folders without source files in .gitignore, or run sidecard dev in the folder of your app.',
  ])
  await expectChange(() => write(folder, 'app.ts'), 'app.ts')
})

test.each([
  ['ENOSPC', 'max_user_watches'],
  ['EMFILE', 'max_user_instances'],
])('if the system reaches its limit (%s), a message says how to raise it', async (code, limit) => {
  const folder = project('app.ts', 'a/a.ts', 'b/b.ts')
  const real = vi.mocked(fs.watch).getMockImplementation() as typeof fs.watch
  vi.mocked(fs.watch).mockImplementation(((path: string, ...rest: []) => {
    if (/\/[ab]$/.test(path)) throw Object.assign(new Error('limit'), { code })
    return real(path, ...rest)
  }) as typeof fs.watch)
  onTestFinished(() => void vi.mocked(fs.watch).mockImplementation(real))
  const { problems, expectChange } = startWatching(folder)
  expect(problems).toEqual([
    `The system cannot watch more folders (${code}), so some changes are not noticed. Raise the limit fs.inotify.${limit} with sysctl. List folders without source files in .gitignore, or run sidecard dev in the folder of your app.`,
  ])
  await expectChange(() => write(folder, 'app.ts'), 'app.ts')
})

test('a folder that was removed is reported', async () => {
  const folder = project('app.ts')
  const { problems } = startWatching(folder)
  rmSync(folder, { recursive: true })
  await eventually(() =>
    expect(problems).toEqual(['The folder was removed. Start sidecard dev again.']),
  )
})
