import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'
import { temporaryFolder } from '../../helpers/dev-command.ts'

const PATH = process.env['PATH'] ?? ''

function createFolder(files: Readonly<Record<string, string>> = {}) {
  const cwd = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  const run = (...args: readonly string[]) => cli(['init', ...args], { cwd, env: { PATH } })
  return { cwd, read, run }
}

test('init writes the app of a package, its server script and its secret', async () => {
  const { cwd, read, run } = createFolder({
    'package.json': JSON.stringify({ name: 'billing', scripts: { start: 'x', server: 'y' } }),
    '.env': 'SIDECARD_SECRET=hunter2\nPORT=3000\n',
    '.gitignore': 'node_modules',
  })
  mkdirSync(join(cwd, 'node_modules/sidecard/schema'), { recursive: true })
  writeFileSync(join(cwd, 'node_modules/sidecard/schema/config.json'), '{}')
  const { stdout, stderr, exitCode } = await run()
  expect([exitCode, stderr, stdout]).toEqual([0, '', 'Wrote sidecard.json. Next: sidecard check\n'])
  expect(JSON.parse(read('sidecard.json'))).toEqual({
    $schema: './node_modules/sidecard/schema/config.json',
    apps: {
      billing: {
        url: 'http://localhost:3000/',
        command: 'npm run server',
        headers: { 'x-sidecard-secret': 'env:SIDECARD_SECRET' },
      },
    },
  })
  expect(read('.gitignore')).toBe('node_modules\nsidecard.local.json\n')
  expect(read('sidecard.json')).not.toContain('hunter2')
})

test('init writes customers to the file that git ignores', async () => {
  const { cwd, read, run } = createFolder()
  const customers = ['--param', 'account_id=acme', '--shows', 'Acme Ltd', '--param', 'account_id=b']
  const { stdout, exitCode } = await run(
    '--name',
    'widget',
    '--command',
    'python3 app.py',
    ...customers,
  )
  expect([exitCode, stdout]).toEqual([
    0,
    'Wrote sidecard.json and sidecard.local.json. Next: sidecard check\n',
  ])
  expect(read('sidecard.json')).not.toContain('acme')
  expect(JSON.parse(read('sidecard.json'))).toEqual({
    apps: { widget: { url: 'http://localhost:8787/', command: 'python3 app.py' } },
  })
  expect(JSON.parse(read('sidecard.local.json')).customers).toEqual({
    'Acme Ltd': { ids: { account_id: 'acme' }, shows: ['Acme Ltd'] },
    'Customer 2': { ids: { account_id: 'b' } },
  })
  expect(read('.gitignore')).toBe('sidecard.local.json\n')
  const again = await run()
  expect([again.exitCode, again.stderr]).toEqual([
    2,
    'sidecard init: sidecard.json exists. Edit it instead.\n',
  ])
  expect(existsSync(join(cwd, 'sidecard.json'))).toBe(true)
})

test.each([
  [['-H', 'x-key: hunter2'], /The header "x-key" contains no variable/],
  [['--url', 'ftp://a'], /must start with http/],
  [['--command', 'a && b'], /apps\S+ must be a command without quotes/],
  [['--param', 'account_id=a', '--shows', 'A'], /shows\[0\] is too short/],
  [['--shows', 'Acme'], /needs a customer before it/],
])('init %j writes nothing', async (args, message) => {
  const { cwd, run } = createFolder()
  const { stderr, exitCode } = await run(...args)
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)])
  expect(stderr).not.toContain('hunter2')
  expect(existsSync(join(cwd, 'sidecard.json')) || existsSync(join(cwd, '.gitignore'))).toBe(false)
})
