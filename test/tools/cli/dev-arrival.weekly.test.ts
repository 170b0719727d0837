import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, test } from 'vitest'
import { openWorkspace, startDev, temporaryFolder } from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'
import { code, type Host, startProject } from './dev-arrival.ts'

const HOSTS: readonly Host[] = ['node', 'node --watch', 'wrangler']

/** Longer than another load would take. */
const SETTLED_MS = 1_500

// The hosts are tested at the same time, because the tests mostly wait.
// On a busy machine, Node's watcher can lose a save after a failed start, and workerd can end while
// it is paused. Neither is ours, so a test has a second chance.
describe.concurrent.each(HOSTS)('with %s', { retry: 1 }, (host) => {
  test.sequential('each save loads the page once, and is reported when its code responds', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const { write, replace, shows, event, says } = project
    const titles = ['a', 'b', 'c', 'd', 'e', 'f']
    const times: number[] = []
    for (const [count, title] of titles.entries()) {
      // Node's own watcher loses a file that is replaced.
      const save = count % 2 === 0 || host === 'node --watch' ? write : replace
      save('title.ts', code(title))
      // oxlint-disable no-await-in-loop -- each save as soon as the one before has arrived
      times.push(await shows(title))
      expect(await event(count)).toMatchObject({ event: 'reloaded', files: ['title.ts'] })
      expect(await says()).toBe(title)
      // oxlint-enable no-await-in-loop
    }
    await sleep(SETTLED_MS)
    expect(project.loads).toEqual(['first', ...titles])
    expect(project.events()).toHaveLength(titles.length)
    // oxlint-disable-next-line no-console -- the figures are for the reader of a run
    console.log(host, times.map(Math.round))
  }, 120_000)

  test.sequential('processes that pause at a save delay it, and nothing else', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const { write, shows, events, says } = project
    const reloads = () => events().filter(({ event }) => event === 'reloaded')
    const pauses = [300, 500, 800, 1_600, 2_500, 4_500]
    for (const [count, ms] of pauses.entries()) {
      write('title.ts', code(String(ms)))
      // oxlint-disable no-await-in-loop -- one save after another
      await project.pause(ms)
      await shows(String(ms))
      await expect.poll(() => reloads().length, { timeout: 20_000 }).toBe(count + 1)
      expect(await says()).toBe(String(ms))
      // oxlint-enable no-await-in-loop
    }
    expect(project.loads).toEqual(['first', ...pauses.map(String)])
    // After five seconds, which a busy machine may add to a pause, the terminal says so.
    const late = 'your app has not responded since the save'
    const others = events().filter(({ event, message }) => event !== 'reloaded' && message !== late)
    expect(others).toEqual([])
  }, 180_000)

  test.sequential('quick saves end with the last one, and no report is of older code', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const { write, replace, shows, events, says } = project
    const saves: Readonly<Record<string, () => Promise<void> | void>> = {
      'two files within 200 ms': async () => {
        write('other.ts', "export const other = '1'\n")
        await sleep(100)
        write(
          'title.ts',
          `import { other } from './other.ts'\nexport const title = 'two ' + other\n`,
        )
      },
      'a change and its undoing': async () => {
        write('other.ts', "export const other = '2'\n")
        await sleep(150)
        write('other.ts', "export const other = '1'\n")
      },
      'a file in two halves': async () => {
        write('title.ts', "export const title = 'hal")
        await sleep(300)
        write('title.ts', code('halves'))
      },
      'a rename over the file': () =>
        (host === 'node --watch' ? write : replace)('title.ts', code('renamed')),
      'five in a row': async () => {
        for (let count = 1; count <= 5; count += 1) {
          write('title.ts', code(`row ${count}`))
          // oxlint-disable-next-line no-await-in-loop -- as a tool that edits step by step
          await sleep(90)
        }
      },
    }
    const expected = ['two 1', 'two 1', 'halves', 'renamed', 'row 5']
    for (const [index, [name, save]] of Object.entries(saves).entries()) {
      const before = events().length
      // oxlint-disable no-await-in-loop -- one save after another
      await save()
      await shows(expected[index] ?? '')
      await expect.poll(() => events().length, { timeout: 20_000 }).toBeGreaterThan(before)
      await sleep(SETTLED_MS)
      expect([name, project.loads.at(-1), await says()]).toEqual([
        name,
        expected[index],
        expected[index],
      ])
      // oxlint-enable no-await-in-loop
    }
  }, 180_000)

  test.sequential('a save that changes nothing is reported as no new code', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    project.write('title.ts', code('second'))
    await project.shows('second')
    await project.event(0)
    // In place: otherwise the file is empty for a moment, and wrangler may build that.
    project.write('title.ts', code('second'), 'r+')
    const reported = await project.event(1)
    // Node's own watcher restarts the process, so that its code is new.
    expect(reported.event).toBe(host === 'node --watch' ? 'reloaded' : 'unchanged')
    await sleep(SETTLED_MS)
    expect(project.loads).toEqual(['first', 'second', 'second'])
  }, 120_000)

  test.sequential('a syntax error and an error at load are failures, until they are repaired', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const { write, shows, events } = project
    for (const [index, broken] of [
      'export const title = (\n',
      "throw new Error('boom at load')\n",
    ].entries()) {
      const before = events().length
      write('title.ts', broken)
      // oxlint-disable no-await-in-loop -- one error after another
      expect(await project.event(before)).toMatchObject({ event: 'failed', cause: 'command' })
      expect(project.events().filter(({ cause }) => cause === 'data')).toEqual([])
      write('title.ts', code(`repaired ${index}`))
      await shows(`repaired ${index}`)
      await expect.poll(() => events().at(-1)).toMatchObject({ event: 'reloaded' })
      // oxlint-enable no-await-in-loop
    }
    expect(project.loads).toEqual(['first', 'repaired 0', 'repaired 1'])
  }, 120_000)

  test.sequential('code that waits while it loads is reported, until it is repaired', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    project.write(
      'title.ts',
      `${code('never')}setInterval(() => {}, 1e6)\nawait new Promise(() => {})\n`,
    )
    expect(await project.event(0)).toMatchObject({ event: 'failed', cause: 'command' })
    project.write('title.ts', code('repaired'))
    await project.shows('repaired')
    await expect.poll(() => project.events().at(-1)).toMatchObject({ event: 'reloaded' })
  }, 120_000)

  test.sequential('git checkout is a save', async (context) => {
    const { expect } = context
    const project = await startProject(host, context)
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
        cwd: project.folder,
      })
    git('init', '--quiet')
    git('add', join(project.folder, 'title.ts'))
    git('commit', '--quiet', '-m', 'first')
    project.write('title.ts', code('second'))
    await project.shows('second')
    git('checkout', '--quiet', 'title.ts')
    await project.shows('first')
    await sleep(SETTLED_MS)
    expect(project.loads).toEqual(['first', 'second', 'first'])
  }, 120_000)
})

const PYTHON = (port: number, says: string) => `
import json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse
class App(BaseHTTPRequestHandler):
    def do_GET(self):
        query = parse_qs(urlparse(self.path).query)
        if 'code' in query:
            body = {'code': query['code'][0]}
        else:
            with open('requests.json', 'a') as log: log.write(self.path + '\\n')
            with open('fetches.log', 'a') as log: log.write('fetch\\n')
            body = {'version': '1.0.0', 'header': {'title': 'T', 'icon_url': 'https://example.com/i.png'},
                    'components': [{'type': 'text', 'label': 'Says', 'value': '${says}'}]}
        self.send_response(200)
        self.send_header('content-type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())
print('serving', flush=True)
ThreadingHTTPServer(('127.0.0.1', ${port}), App).serve_forever()
`

test.concurrent.for([
  ['that dev restarts', ''],
  ['that seems to reload itself', '--reload'],
] as const)(
  'a Python app with an access log and a log file %s is fetched at most twice per save',
  { timeout: 60_000 },
  async ([, option], { expect, onTestFinished: onEnd }) => {
    const folder = temporaryFolder(onEnd)
    const port = await findFreePort()
    const save = (says: string) => writeFileSync(join(folder, 'app.py'), PYTHON(port, says))
    save('first')
    writeFileSync(join(folder, 'requests.json'), '')
    const url = `http://127.0.0.1:${port}/`
    const dev = startDev(
      { cwd: folder, onEnd },
      '--json',
      '--url',
      url,
      '--',
      'python3',
      'app.py',
      option,
    )
    const [, page = ''] = await dev.until(/"workspace":"(http:[^"]+)"/)
    const workspace = await openWorkspace(page, onEnd)
    await workspace.sidebar()
    const follow = async () => {
      // oxlint-disable-next-line no-await-in-loop -- one load for each event, as the page does
      for (;;) await workspace.sidebar(await workspace.nextChange())
    }
    void follow().catch(() => undefined)
    const fetches = () => readFileSync(join(folder, 'fetches.log'), 'utf8').split('\n').length - 1
    for (const says of ['second', 'third']) {
      const before = fetches()
      save(says)
      // oxlint-disable no-await-in-loop -- one save after another
      await expect.poll(fetches, { timeout: 20_000 }).toBeGreaterThan(before)
      await sleep(4_000)
      // oxlint-enable no-await-in-loop
      expect(fetches() - before).toBeLessThanOrEqual(2)
      // The second one does not reload itself.
      expect((await workspace.sidebar()).says).toBe(option === '' ? says : 'first')
    }
  },
)
