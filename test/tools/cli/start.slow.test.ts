import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type RunningProcess, startProcess, temporaryFolder } from '../../helpers/dev-command.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What `npm start` and `npm start -- examples/billing` need of a clone, without a build. */
const CLONED = ['package.json', 'tsconfig.json', 'schema', 'scripts', 'src', 'README.md']
const APPS = ['examples/billing', 'recipes', 'templates']

function createClone(): string {
  const clone = temporaryFolder()
  for (const name of [...CLONED, ...APPS]) {
    mkdirSync(join(clone, name, '..'), { recursive: true })
    cpSync(join(root, name), join(clone, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

test('npm start and npm start -- examples/billing run side by side, whenever they build', async () => {
  const clone = createClone()
  const start = (...args: readonly string[]) =>
    startProcess('npm', ['start', '--', ...args, '--port', '0'], { cwd: clone })
  const workspaceOf = async ({ until }: RunningProcess) => {
    const [, url = ''] = await until(/Workspace {2}(\S+)\n/)
    await until(/connected .*\n/)
    return url
  }

  const both = [start(), start('examples/billing')]
  const [workspace = ''] = await Promise.all(both.map(workspaceOf))

  // A third build must not remove what the first programs serve.
  const third = start('examples/billing')
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

test('the README names the commands of a clone, and the file to edit, which reloads', async () => {
  const clone = createClone()
  const readme = readFileSync(join(clone, 'README.md'), 'utf8')
  const { scripts } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
  for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
    expect(readme).toContain(command)
    expect(scripts).toHaveProperty(command.split(' ').at(-1) ?? '')
  }
  const [, path = ''] = /Edit `(\S+)`, and the sidebar updates/.exec(readme) ?? []
  const file = join(clone, path)
  expect([path, existsSync(file)]).toEqual([expect.stringContaining('sidebar.ts'), true])

  const { until, output } = startProcess('npm', ['start', '--', '--port', '0', '--json'], {
    cwd: clone,
  })
  await until(/"event":"ready"/)
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, source.replace('Plan: plan', "Plan: 'changed by the reader'"))
  await until(/"event":"reloaded"/)
  // A mistake is reported, and its correction as well.
  writeFileSync(file, `${source}\n)`)
  await until(/SyntaxError/)
  const before = output().length
  writeFileSync(file, source)
  await until(/"event":"reloaded"[^]*"event":"reloaded"/)
  expect(output().length).toBeGreaterThan(before)
}, 180_000)
