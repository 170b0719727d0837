import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type RunningProcess, startProcess, temporaryFolder } from '../helpers/dev-command.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What `npm start` and `npm run example` need of a clone, without a build. */
const CLONED = ['package.json', 'tsconfig.json', 'schema', 'scripts', 'src']
const APPS = ['examples/billing', 'recipes', 'templates/node', 'templates/_base']

test('npm start and npm run example run side by side, whenever they build', async () => {
  const clone = temporaryFolder()
  for (const name of [...CLONED, ...APPS]) {
    mkdirSync(join(clone, name, '..'), { recursive: true })
    cpSync(join(root, name), join(clone, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const start = (script: string) =>
    startProcess('npm', ['run', script, '--', '--port', '0'], { cwd: clone })
  const workspaceOf = async ({ until }: RunningProcess) => {
    const [, url = ''] = await until(/Workspace {2}(\S+)\n/)
    await until(/connected .*\n/)
    return url
  }

  const both = [start('start'), start('example')]
  const [workspace = ''] = await Promise.all(both.map(workspaceOf))

  // A third build must not remove what the first programs serve.
  const third = start('example')
  const isReady = workspaceOf(third).then(() => true)
  const statuses = new Set<number>()
  do {
    for (const path of ['', '-/assets/app.js', '-/assets/app.css']) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      statuses.add((await fetch(`${workspace}${path}`)).status)
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
  } while (!(await Promise.race([isReady, sleep(20, false)])))
  expect([...statuses]).toEqual([200])
}, 180_000)
