import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { TEMPLATES } from '../../src/cli/new/templates.ts'
import { cli } from '../helpers/cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a git repository', () => {
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
  const makeInGit = (...args: readonly string[]) =>
    cli(['new', '--no-install', ...args], { cwd: folder })

  test.each(TEMPLATES)(
    'is created for the template $name, on the branch of its workflow, without its secrets',
    async ({ host, data }) => {
      const { name, secretsFile } = host
      expect((await makeInGit('x', '--template', name, '--data', data.name)).exitCode).toBe(0)
      const project = join(folder, 'x')
      expect(git(project, 'symbolic-ref', '--short', 'HEAD')).toBe('main')
      expect(git(project, 'check-ignore', secretsFile)).toBe(secretsFile)
      expect(git(project, 'add', '--dry-run', '.')).not.toContain(`'${secretsFile}'`)
    },
  )

  /** With a git identity, as on a developer's machine, or without one. */
  const withIdentity = async (identity: string, action: () => Promise<void>) => {
    const config = join(folder, 'gitconfig')
    writeFileSync(config, identity)
    vi.stubEnv('GIT_CONFIG_GLOBAL', config)
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['AUTHOR', 'COMMITTER']) {
      for (const part of ['NAME', 'EMAIL']) vi.stubEnv(`GIT_${name}_${part}`, undefined)
    }
    await action()
  }

  test('has a first commit with all files except the secrets', async () => {
    await withIdentity('[user]\nname = Jane\nemail = jane@example.com\n', async () => {
      const { exitCode, stderr } = await makeInGit('x', '--template', 'node')
      expect([exitCode, stderr]).toEqual([0, ''])
      const project = join(folder, 'x')
      expect(git(project, 'status', '--porcelain')).toBe('')
      expect(git(project, 'log', '--format=%s %an')).toBe('Create the project Jane')
      const files = git(project, 'ls-files').split('\n')
      expect(files).toContain('package.json')
      expect(files).not.toContain('.env')
    })
  })

  test('has no commit without an identity, and explains how to set one', async () => {
    await withIdentity('[user]\nuseConfigOnly = true\n', async () => {
      const { exitCode, stderr } = await makeInGit('x')
      expect(exitCode).toBe(0)
      expect(stderr).toContain('Set user.name and user.email, then run git commit.')
      expect(git(join(folder, 'x'), 'status', '--porcelain')).toContain('A  package.json')
    })
  })

  test('is not created inside another one', async () => {
    git(folder, 'init', '--quiet')
    expect((await makeInGit('x')).exitCode).toBe(0)
    expect(readdirSync(join(folder, 'x'))).not.toContain('.git')
  })
})
