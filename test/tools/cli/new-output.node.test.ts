import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cli } from '../../helpers/cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = (...args: readonly string[]) =>
  cli(['new', '--no-install', '--no-git', ...args], { cwd: folder })

test('the next steps are the commands of the project', async () => {
  const { stdout } = await make('x')
  for (const command of ['npm install', 'npm run dev', 'npm test', 'npm run check'])
    expect(stdout).toContain(`\n  ${command}`)
})

test('the result is printed as JSON', async () => {
  const { stdout, stderr } = await make('x', '--template', 'workers', '--data', 'd1', '--json')
  expect(stderr).toBe('')
  const result = JSON.parse(stdout)
  expect(result).toMatchObject({
    name: 'x',
    folder: join(folder, 'x'),
    template: 'workers',
    data: 'd1',
    packageManager: 'npm',
    secretsFile: '.dev.vars',
    isInstalled: false,
    isCommitted: false,
    variables: ['SIDECARD_SECRET'],
    notes: [],
    next: ['cd x', 'npm install', 'npm run dev', 'npm test', 'npm run check'],
  })
  const paths = readdirSync(join(folder, 'x'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 3))
  expect(result.files).toEqual(paths.toSorted())
  const secrets = parseEnv(readFileSync(join(folder, 'x', '.dev.vars'), 'utf8'))
  for (const value of Object.values(secrets)) expect(stdout).not.toContain(value)
})

test.each([
  ['package.json', '{ "workspaces": ["apps/*"] }'],
  ['pnpm-workspace.yaml', 'packages: [apps/*]'],
])('in a workspace (%s) and a repository, it says what differs', async (file, content) => {
  writeFileSync(join(folder, file), content)
  mkdirSync(join(folder, '.git'))
  const { stdout } = await make('x', '--template', 'node')
  expect(stdout).toContain('Move .github/workflows/ci.yml there')
  expect(stdout).toContain('Build the image with the root as the context')
  const worker = await make('y', '--template', 'workers')
  expect(worker.stdout).not.toContain('Dockerfile')
})
