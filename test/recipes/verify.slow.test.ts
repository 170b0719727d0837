import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestService } from 'sidecard/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listRecipes } from '../../src/cli/add/recipes.ts'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { collectOutput } from '../helpers/collect-output.ts'
import { followStep } from '../helpers/follow-steps.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { createEnvironment, createScaffold, type Scaffold } from '../helpers/scaffold.ts'

const recipes = await listRecipes()

/** Starts the server of a project as its dev script does. @returns its URL */
async function startServer({ folder }: Scaffold, template: string): Promise<string> {
  const port = String(await findFreePort())
  const [program, args] = template.startsWith('workers')
    ? [join(folder, 'node_modules/.bin/wrangler'), ['dev', '--port', port, '--inspector-port', '0']]
    : [process.execPath, ['--env-file=.env', 'src/server.ts']]
  const child = spawn(program, args, { cwd: folder, env: { ...createEnvironment(), PORT: port } })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  })
  await collectOutput(child).until(/listening on|Ready on/)
  return `http://127.0.0.1:${port}/`
}

describe.each(TEMPLATES)('the template $name with all its recipes', ({ name, secretsFile }) => {
  test('shows their sections, with the development data, and its verify script passes', async () => {
    const project = await createScaffold(name)
    const supported = recipes.filter(
      ({ variants }) => (name === 'workers-kv' ? 'workers' : name) in variants,
    )
    for (const recipe of supported) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as a user does
      const { stdout } = await project.cli('add', recipe.name, '--no-install', '--json')
      for (const step of JSON.parse(stdout).next) followStep(project.folder, step)
    }
    project.install()
    // There is no service API in this test.
    const secrets = join(project.folder, secretsFile)
    const local = readFileSync(secrets, 'utf8').replace(
      /^SIDECARD_API_URL=.*$/m,
      'SIDECARD_API_URL=',
    )
    writeFileSync(secrets, local)
    if (name === 'workers-d1') {
      const { exitCode, output } = project.npm(['run', 'seed'])
      if (exitCode !== 0) throw new Error(output)
    }
    const url = await startServer(project, name)

    const [, secret = ''] = /^SIDECARD_SECRET=(.+)$/m.exec(local) ?? []
    const service = createTestService(url, { headers: { 'x-sidecard-secret': secret } })
    const { text, failures } = await service.openIssue({ account_id: 'acc_northwind' })
    expect(failures).toEqual([])
    expect(text.match(/Not configured/g)).toHaveLength(3)
    const hasAccounts = supported.some((recipe) => recipe.name === 'accounts')
    expect(text.includes('─ Account ─')).toBe(hasAccounts)
    expect(text.match(/Northwind Traders/g)).toHaveLength(hasAccounts ? 2 : 1)

    const { scripts } = JSON.parse(readFileSync(join(project.folder, 'package.json'), 'utf8'))
    const [, command = '', ...rest] = scripts.verify.split(' ')
    const options = rest.filter((each: string) => !each.startsWith('http'))
    const verified = await project.cli(command, url, ...options)
    expect([verified.exitCode, verified.stdout]).toEqual([
      0,
      expect.stringContaining('The endpoint conforms to the contract.'),
    ])
    writeFileSync(secrets, local.replace(/^VERIFY_ACCOUNT_ID=.*$/m, 'VERIFY_ACCOUNT_ID=unknown'))
    const unproven = await project.cli(command, url, ...options)
    expect([unproven.exitCode, unproven.stderr]).toEqual([
      1,
      expect.stringContaining('no customer data was checked'),
    ])
  }, 180_000)
})
