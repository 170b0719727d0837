import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import {
  openWorkspace,
  startDev,
  startProcess,
  temporaryFolder,
} from '../../helpers/dev-command.ts'
import { findFreePort } from '../../helpers/free-port.ts'

const PATH = process.env['PATH'] ?? ''

/** A server whose apps show their path, the customer and the header that they received. */
const SERVER = `
import { createServer } from 'node:http'
const SUFFIX = ''
createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url, 'http://x')
  const code = searchParams.get('code')
  const key = 'a key of ' + (request.headers['x-key'] ?? '').length
  response.setHeader('content-type', 'application/json')
  if (code) return response.end(JSON.stringify({ code }))
  const header = { title: pathname, icon_url: 'https://example.com/i.png' }
  const value = [searchParams.get('account_id'), key].join(' ') + SUFFIX
  response.end(JSON.stringify({ version: '1.0.0', header, components: [{ type: 'text', label: 'Is', value }] }))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

async function createProject() {
  const folder = temporaryFolder()
  const [one, two] = [await findFreePort(), await findFreePort()]
  const command = `${process.execPath} server.mjs`
  writeFileSync(join(folder, 'server.mjs'), SERVER)
  writeFileSync(join(folder, '.env'), 'ONE=key-one\nTWO=key-three\n')
  const project = {
    apps: {
      billing: { url: `http://127.0.0.1:${one}/billing`, command, headers: { 'x-key': 'env:ONE' } },
      orders: { url: `http://127.0.0.1:${one}/orders` },
      status: { url: `http://127.0.0.1:${two}/`, command, headers: { 'x-key': 'env:TWO' } },
    },
    customers: { Northwind: { ids: { account_id: 'acc_northwind' } } },
    states: { Nobody: { ids: { account_id: 'acc_nobody' } } },
  }
  const write = (value: unknown) =>
    writeFileSync(join(folder, 'sidecard.json'), JSON.stringify(value, null, 2))
  write(project)
  return { folder, one, two, project, write }
}

test('dev starts the servers of all apps, connects each with its headers, and opens the first customer', async () => {
  const { folder, one, two } = await createProject()
  const { stdout, stderr, exitCode } = await cli(['dev', '--once', '--port', '0'], {
    cwd: folder,
    env: { PATH },
  })
  expect([exitCode, stdout]).toEqual([
    0,
    `connected  billing at http://127.0.0.1:${one}/billing
connected  orders at http://127.0.0.1:${one}/orders
connected  status at http://127.0.0.1:${two}/

/billing

Is  acc_northwind a key of 7

/orders

Is  acc_northwind a key of 0

/

Is  acc_northwind a key of 9
`,
  ])
  expect(stderr).toContain(
    `sidecard dev: billing at http://127.0.0.1:${one}/billing (sidecard.json:4, ONE of .env)\n`,
  )
  for (const port of [one, two]) {
    // oxlint-disable-next-line no-await-in-loop -- both servers have ended
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
  }
})

test('a flag wins over the file', async () => {
  const { folder, one } = await createProject()
  const args = ['--url', `http://127.0.0.1:${one}/billing`, '-H', 'X-Key: flag']
  const { stdout } = await cli(
    ['dev', '--once', '--port', '0', ...args, '--param', 'account_id=a'],
    {
      cwd: folder,
      env: { PATH },
    },
  )
  expect(stdout).toBe(
    `connected  billing at http://127.0.0.1:${one}/billing\n\n/billing\n\nIs  a a key of 4\n`,
  )
})

test.each([
  [['-H', 'x-key: a'], '-H is for one app. Pass its URL with --url.'],
  [['--name', 'a'], '--name is for one app. Pass its URL with --url.'],
  [['--', 'node', 'server.mjs'], 'The command starts one server. Pass its URL with --url.'],
])('dev with several apps rejects %j', async (args, message) => {
  const { folder } = await createProject()
  const { stderr, exitCode } = await cli(['dev', '--once', ...args], { cwd: folder, env: { PATH } })
  expect([exitCode, stderr]).toEqual([2, `sidecard dev: ${message}\n`])
})

test('after a save, dev shows the first customer of the project', async () => {
  const { folder, project, write } = await createProject()
  const { status } = project.apps
  write({ ...project, apps: { status } })
  const dev = startDev(folder)
  await dev.until(/connected {2}status/)
  writeFileSync(join(folder, 'server.mjs'), SERVER.replace("SUFFIX = ''", "SUFFIX = ' changed'"))
  await dev.until(/reloaded +server\.mjs .*\n/)
  const workspace = await openWorkspace((await dev.until(/Workspace {2}(\S+)\n/))[1] ?? '')
  const exchanges = await workspace.get('exchanges')
  expect(JSON.stringify(exchanges)).toContain('acc_northwind')
})

test('after a save, dev prints one line for each of two apps', async () => {
  const { folder, project, write } = await createProject()
  const { billing, orders } = project.apps
  write({ ...project, apps: { billing, orders } })
  const dev = startDev(folder)
  await dev.until(/connected {2}orders/)
  writeFileSync(join(folder, 'server.mjs'), SERVER.replace("SUFFIX = ''", "SUFFIX = ' changed'"))
  const lines = ['billing', 'orders'].map(
    (app) =>
      new RegExp(`^reloaded {2}${app} {2}server\\.mjs {2}Northwind {2}rendered {2}\\d+ ms$`, 'm'),
  )
  await Promise.all(lines.map((line) => dev.until(line)))
  expect(dev.output().match(/^reloaded/gm)).toHaveLength(2)
})

test('a server that listens is used, and dev says so', async () => {
  const { folder, project, write, two } = await createProject()
  write({ ...project, apps: { status: project.apps.status } })
  startProcess(process.execPath, ['server.mjs'], { cwd: folder, env: { PORT: String(two) } })
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${two}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  const { stdout, stderr } = await cli(['dev', '--once', '--port', '0'], {
    cwd: folder,
    env: { PATH },
  })
  expect(stderr).toContain(
    `a server listens at http://127.0.0.1:${two}, so ${project.apps.status.command} is not started`,
  )
  expect(stdout).toContain('connected  status')
  expect((await fetch(`http://127.0.0.1:${two}`)).ok).toBe(true)
})

test('a change of the file replaces the customers of the workspace without a restart', async () => {
  const { folder, project, write } = await createProject()
  write({ ...project, apps: { status: project.apps.status } })
  const dev = startDev(folder)
  await dev.until(/connected {2}status/)
  const workspace = await openWorkspace((await dev.until(/Workspace {2}(\S+)\n/))[1] ?? '')
  const names = async () => {
    const { customers } = await workspace.get('state')
    return customers.map(({ name, place }: { name: string; place: string }) => `${name} ${place}`)
  }
  expect(await names()).toEqual(['Northwind sidecard.json:12'])
  const Lumen = { ids: { account_id: 'acc_lumen' } }
  writeFileSync(join(folder, 'sidecard.local.json'), JSON.stringify({ customers: { Lumen } }))
  await expect.poll(names).toEqual(['Northwind sidecard.json:12', 'Lumen sidecard.local.json:1'])
  writeFileSync(join(folder, 'sidecard.local.json'), '{ "customer": {} }')
  await dev.until(/sidecard\.local\.json:1: customer is not known\. Did you mean "customers"\?/)
  expect(await names()).toHaveLength(2)
  const problem = async () => (await workspace.get('state')).projectProblem
  expect(await problem()).toMatch(
    /sidecard\.local\.json:1: customer is not known\. Did you mean "customers"\?/,
  )
  writeFileSync(join(folder, 'sidecard.local.json'), JSON.stringify({ customers: { Lumen } }))
  await expect.poll(problem).toBeNull()
  write({ ...project, apps: { status: { ...project.apps.status, headers: {} } } })
  writeFileSync(join(folder, 'sidecard.local.json'), '{}')
  await dev.until(/the apps of the project changed\. Restart sidecard dev/)
  expect(await problem()).toContain('Restart sidecard dev')
  expect(dev.output().match(/connected/g)).toHaveLength(1)
})

test('a state that the workspace saves goes to sidecard.local.json, which git ignores', async () => {
  const { folder, project, write } = await createProject()
  write({ ...project, apps: { status: project.apps.status } })
  const dev = startDev(folder)
  await dev.until(/connected {2}status/)
  const workspace = await openWorkspace((await dev.until(/Workspace {2}(\S+)\n/))[1] ?? '')
  const { issues } = await workspace.get('state')
  const call = (path: string, body: object) => workspace.send('POST', path, JSON.stringify(body))
  await call(`issues/${issues[0].id}/open`, { customer: 'Northwind' })
  const exchanges = await workspace.get('exchanges')
  const { id } = exchanges.find(({ kind }: { kind: string }) => kind === 'fetch_data')
  expect((await call(`exchanges/${id}/state`, { name: 'Mine' })).status).toBe(200)
  const local = join(folder, 'sidecard.local.json')
  expect(JSON.parse(readFileSync(local, 'utf8'))).toEqual({
    states: { Mine: { customer: 'Northwind' } },
  })
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('sidecard.local.json\n')
  const { states } = await workspace.get('state')
  expect(states.map(({ name }: { name: string }) => name)).toEqual(['Nobody', 'Mine'])
  writeFileSync(local, '{ broken')
  const rejected = await call(`exchanges/${id}/state`, { name: 'Other' })
  expect(rejected.ok).toBe(false)
  expect(await rejected.text()).toContain('sidecard.local.json is not valid JSON')
  expect(readFileSync(local, 'utf8')).toBe('{ broken')
})
