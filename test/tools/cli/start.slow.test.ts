import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  openWorkspace,
  type RunningProcess,
  startProcess,
  temporaryFolder,
} from '../../helpers/dev-command.ts'

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

const namesOf = (entries: ReadonlyArray<{ readonly name: string }>) =>
  entries.map(({ name }) => name)

/** Returns whether a widget failed other than its state asked for. */
const isRed = ({ outcome, failures }: { outcome: string; failures: { intended?: boolean }[] }) =>
  !['rendered', 'not_found', 'ambiguous'].includes(outcome) &&
  (failures.length === 0 || failures.some(({ intended }) => intended !== true))

test('npm start and npm start -- examples/billing run side by side, each with its customers, its states and a check that conforms', async () => {
  const clone = createClone()
  const start = (...args: readonly string[]) =>
    startProcess('npm', ['start', '--', ...args, '--port', '0'], { cwd: clone })
  const workspaceOf = async ({ until }: RunningProcess) => {
    const [, url = ''] = await until(/Workspace {2}(\S+)\n/)
    await until(/connected .*\n/)
    return url
  }

  const both = [start(), start('examples/billing')]
  const workspaces = await Promise.all(both.map(workspaceOf))
  const [workspace = ''] = workspaces

  // Each shows the customers and states of its sidecard.json, and its app conforms.
  for (const [index, folder] of ['templates', 'examples/billing'].entries()) {
    const file = JSON.parse(readFileSync(join(clone, folder, 'sidecard.json'), 'utf8'))
    // oxlint-disable no-await-in-loop -- one app after the other
    const { get, send } = await openWorkspace(workspaces[index] ?? '')
    const { customers, states, issues, apps } = await get('state')
    expect(namesOf(customers)).toEqual(Object.keys(file.customers))
    expect(namesOf(states)).toEqual(Object.keys(file.states))
    const wall = await (await send('POST', `issues/${issues[0].id}/states`)).json()
    expect(namesOf(wall.states)).toEqual([...namesOf(customers), ...namesOf(states)])
    expect(wall.states.flatMap(({ widgets }: { widgets: any[] }) => widgets.filter(isRed))).toEqual(
      [],
    )
    const report = await (await send('POST', `apps/${apps[0].id}/check`, '{}')).json()
    expect(report.verdict).toBe('conforms')
    // oxlint-enable no-await-in-loop
  }

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
}, 300_000)

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
