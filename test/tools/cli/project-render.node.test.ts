import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fields, secretHeader, section, sidecard } from 'sidecard'
import { serve } from 'sidecard/node'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import { temporaryFolder } from '../../helpers/dev-command.ts'

const app = sidecard({
  header: { title: 'Billing', icon_url: 'https://example.com/i.png' },
  auth: secretHeader('x-key', (env) => env['KEY']),
  logger: false,
  fetchData: ({ params }) => [
    ...fields({ Account: params.account_id ?? 'nobody' }),
    section('Orders', () => Promise.resolve(fields({ Order: 'A 1' }))),
    params.account_id === 'acc_broken' &&
      section('Invoices', () => Promise.reject(new Error('the backend is down'))),
  ],
})

let cwd = ''
let url = ''
beforeEach(async () => {
  const server = await serve(app, { port: 0, env: { KEY: 'hunter2', SIDECARD_DEV: '1' } })
  onTestFinished(() => server.close())
  url = server.url
  cwd = temporaryFolder()
  writeFileSync(join(cwd, '.env'), 'KEY=hunter2\n')
  writeProject({ billing: { url, headers: { 'x-key': 'env:KEY' } } })
})

function writeProject(apps: Record<string, unknown>) {
  const customers = {
    Northwind: { ids: { account_id: 'acc_northwind' } },
    Lumen: { ids: { account_id: 'acc_lumen' } },
    Broken: { ids: { account_id: 'acc_broken' } },
  }
  const states = {
    'Orders failed': { customer: 'Lumen', sections: { Orders: 'failed' } },
    'Orders slow': { customer: 'Lumen', sections: { Orders: 'timeout' } },
    'Half intended': { customer: 'Broken', sections: { Orders: 'failed' } },
    'Half wrong': { customer: 'Lumen', sections: { Orders: 'failed', Order: 'failed' } },
    Wrong: { customer: 'Lumen', sections: { Order: 'failed' } },
  }
  writeFileSync(join(cwd, 'sidecard.json'), JSON.stringify({ apps, customers, states }, null, 2))
}

const run = (...args: readonly string[]) => cli(args, { cwd, env: {} })

test.each([[[]], [['billing']]])(
  'render %j shows the first customer of the project',
  async (args) => {
    const { stdout, stderr, exitCode } = await run('render', ...args)
    expect([exitCode, stderr]).toEqual([
      0,
      `sidecard render: billing at ${url}/ (sidecard.json:4, KEY of .env) as Northwind\n`,
    ])
    expect(stdout).toMatch(/Account {2}acc_northwind[^]*Order {2}A 1/)
  },
)

test.each([
  ['Orders failed', 'Orders failed because the state asks for it.'],
  ['Orders slow', 'Orders timed out because the state asks for it.'],
])(
  'render --as %j exits with 0 and names the section that fails as intended',
  async (as, reason) => {
    const { stdout, stderr, exitCode } = await run('render', '--as', as)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('acc_lumen')
    expect(stdout).not.toContain('A 1')
    expect(stderr).toMatch(new RegExp(`as ${as}\n`))
    expect(stderr).toContain(`sidecard render: components[1]: ${reason}\n`)
    expect(JSON.parse((await run('render', '--as', as, '--json')).stdout)).toMatchObject({
      ok: true,
    })
  },
)

test('render --as exits with 1 if a section fails that the state does not name', async () => {
  const { stderr, exitCode } = await run('render', '--as', 'Half intended')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('Orders failed because the state asks for it.')
  expect(stderr).toContain('a section failed (Invoices): the backend is down')
})

test('record saves a state that fails as intended', async () => {
  const { exitCode, stdout } = await run('record', '--as', 'Orders failed', '--output', '-')
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { response: { status: 200 } }])
})

test.each(['Wrong', 'Half wrong'])(
  'render --as %j reports the condition that was not applied, with the nearest title',
  async (as) => {
    const { stdout, stderr, exitCode } = await run('render', '--as', as)
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('the condition of the section "Order" was not applied')
    expect(stderr).toContain('Did you mean "Orders"?')
  },
)

test('render of a URL that the project does not have sends none of its headers', async () => {
  const { stderr, exitCode } = await run('render', `${url}/?other=1`)
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('401')])
})

test('IDs of flags replace the customer, and an unknown name gets a suggestion', async () => {
  const flags = await run('render', '--param', 'account_id=acc_flag')
  expect(flags.stdout).toContain('acc_flag')
  const both = await run('render', '--param', 'account_id=a', '--as', 'Lumen')
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('Use only one.')])
  const unknown = await run('render', '--as', 'Lumn')
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('Lumen?')])
})

test('with several apps, render and record need a name', async () => {
  writeProject({ billing: { url }, orders: { url: `${url}/orders` } })
  for (const args of [['render'], ['record', '--output', 'a.json']] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one command after another
    const { stderr, exitCode } = await run(...args)
    expect([exitCode, stderr]).toEqual([
      2,
      `sidecard ${args[0]}: The project has several apps. Name one: sidecard ${args[0]} billing\n`,
    ])
  }
})

test('record saves the response for a customer of the project', async () => {
  const { exitCode } = await run('record', 'billing', '--as', 'Lumen', '--output', 'lumen.json')
  expect(exitCode).toBe(0)
  const text = readFileSync(join(cwd, 'lumen.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ response: { status: 200 } })
  expect(text).not.toContain('hunter2')
})
