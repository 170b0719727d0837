import { execFileSync } from 'node:child_process'
import { describe, test } from 'vitest'
import { code, type Host, startProject } from './dev-arrival.ts'

const HOSTS: readonly Host[] = ['node', 'node --watch', 'wrangler']

// The hosts are tested at the same time, because the tests mostly wait.
describe.concurrent.each(HOSTS)('with %s', (host) => {
  test('each save loads the page once, and is reported when its code responds', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const { folder, write, replace, shows, event, says } = project
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '--quiet')
    git('add', 'title.ts')
    // Node's own watcher loses a file that is replaced.
    const save = host === 'node --watch' ? write : replace
    const saves: ReadonlyArray<readonly [title: string, save: () => unknown]> = [
      ['written', () => write('title.ts', code('written'))],
      ['replaced', () => save('title.ts', code('replaced'))],
      ['last', () => write('title.ts', code('last'))],
      ['first', () => git('checkout', '--quiet', 'title.ts')],
    ]
    const times: number[] = []
    for (const [count, [title, change]] of saves.entries()) {
      change()
      // oxlint-disable no-await-in-loop -- each save as soon as the one before has arrived
      times.push(await shows(title))
      expect(await event(count)).toMatchObject({ event: 'reloaded', files: ['title.ts'] })
      expect(await says()).toBe(title)
      // oxlint-enable no-await-in-loop
    }
    expect(project.loads).toEqual(['first', ...saves.map(([title]) => title)])
    // oxlint-disable-next-line no-console -- the figures are for the reader of a run
    console.log(host, times.map(Math.round))
  }, 500_000)
})
