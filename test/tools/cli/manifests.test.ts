import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

describe.each(['.', 'scripts/create-sidecard'])('the package in %s', (folder) => {
  const manifest = readManifest(folder)

  test('is public, and names no reserved host as its own', () => {
    const { repository, homepage, bugs, publishConfig } = manifest
    expect(JSON.stringify({ repository, homepage, bugs })).not.toMatch(/\.example\b|\bexample\./)
    expect(publishConfig).toEqual({ access: 'public' })
  })

  test('is published without corrections by npm', () => {
    const args = ['publish', '--dry-run', '--ignore-scripts', '--json']
    const { stderr } = spawnSync('npm', args, { cwd: join(root, folder), encoding: 'utf8' })
    expect(stderr).not.toMatch(/corrected|was invalid|removed/)
  }, 60_000)
})

test('create-sidecard depends on the same minor version', () => {
  const [major, minor] = readManifest('.').version.split('.')
  expect(readManifest('scripts/create-sidecard').version).toMatch(
    new RegExp(`^${major}\\.${minor}\\.`),
  )
  expect(readManifest('scripts/create-sidecard').dependencies.sidecard).toBe(`^${major}.${minor}.0`)
})

test('create-sidecard runs sidecard new with its arguments, and exits with its code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-create-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const installed = join(folder, 'node_modules', 'sidecard')
  mkdirSync(join(installed, 'dist', 'cli'), { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{ "name": "sidecard" }')
  const program = 'console.log(process.argv.slice(2).join(" ")); process.exitCode = 3'
  writeFileSync(join(installed, 'dist', 'cli', 'bin.js'), program)
  cpSync(join(root, 'scripts/create-sidecard'), join(folder, 'node_modules', 'create-sidecard'), {
    recursive: true,
  })
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(folder, 'node_modules', 'create-sidecard', 'index.js'), 'card', '--template', 'node'],
    { encoding: 'utf8' },
  )
  expect(stdout).toBe('new card --template node\n')
  expect(status).toBe(3)
})
