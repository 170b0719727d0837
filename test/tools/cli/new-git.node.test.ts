import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { run as runNewCommand } from '../../../src/tools/cli/commands/new.ts'
import { TEMPLATES } from '../../../src/tools/cli/new/templates.ts'
import { PLAIN } from '../../../src/tools/internal/palette.ts'
import { cli } from '../../helpers/cli.ts'
import { failingAt } from '../../helpers/failing-fs.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a git repository', () => {
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
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
    await withIdentity(JANE, async () => {
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

  const JANE = '[user]\nname = Jane\nemail = jane@example.com\n'

  /** Clones a repository into the folder `app`, with an entry of the Finder. */
  const clone = (branch: string, ...commits: ReadonlyArray<readonly string[]>) => {
    const origin = join(folder, 'origin')
    git(folder, 'init', '--quiet', `--initial-branch=${branch}`, 'origin')
    for (const commit of commits) git(origin, ...commit)
    git(folder, 'clone', '--quiet', '--no-checkout', 'origin', 'app')
    const app = join(folder, 'app')
    writeFileSync(join(app, '.DS_Store'), 'x')
    return app
  }
  const EMPTY_COMMIT = ['commit', '--quiet', '--allow-empty', '--message', 'Begin']

  test('sidecard new commits into an empty clone, on the branch of the clone', async () => {
    await withIdentity(JANE, async () => {
      const app = clone('trunk')
      const config = readFileSync(join(app, '.git', 'config'), 'utf8')
      const { exitCode, stderr } = await makeInGit('app', '--template', 'node')
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(git(app, 'log', '--format=%D %s %an')).toBe('HEAD -> trunk Create the project Jane')
      expect(git(app, 'status', '--porcelain')).toBe('?? .DS_Store')
      expect(readFileSync(join(app, '.git', 'config'), 'utf8')).toBe(config)
      expect(readdirSync(app)).not.toContainEqual(expect.stringMatching(/^\.sidecard-/))
      // Only the user can read the secrets.
      expect(statSync(join(app, '.env')).mode & 0o077).toBe(0)
    })
  })

  test('sidecard new commits into an empty worktree, whose .git is a file', async () => {
    await withIdentity(JANE, async () => {
      const app = clone('main', EMPTY_COMMIT)
      git(app, 'worktree', 'add', '--quiet', '-b', 'card', join(app, 'card'))
      const { exitCode, stdout } = await cli(
        ['new', 'card', '--no-install', '--template', 'node'],
        {
          cwd: app,
        },
      )
      expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('workflows')])
      expect(git(join(app, 'card'), 'log', '--format=%s')).toBe('Create the project\nBegin')
      expect(git(app, 'log', '--format=%s')).toBe('Begin')
    })
  })

  test('sidecard new does not commit if the commit would delete files of the clone', async () => {
    await withIdentity(JANE, async () => {
      const app = clone('main', EMPTY_COMMIT)
      const origin = join(folder, 'origin')
      writeFileSync(join(origin, 'LICENSE'), 'x')
      git(origin, 'add', '.')
      git(origin, 'commit', '--quiet', '--message', 'Add the license')
      git(app, 'fetch', '--quiet')
      git(app, 'update-ref', 'HEAD', 'FETCH_HEAD')
      const { exitCode, stderr } = await makeInGit('app')
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('was not committed, because')])
      expect(git(app, 'log', '-1', '--format=%s')).toBe('Add the license')
      expect(readdirSync(app)).toContain('package.json')
    })
  })

  test('sidecard new runs the hooks of a clone, and says how to see why they rejected the commit', async () => {
    await withIdentity(JANE, async () => {
      const app = clone('main')
      mkdirSync(join(app, '.git', 'hooks'), { recursive: true })
      const hook = join(app, '.git', 'hooks', 'commit-msg')
      writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      const { exitCode, stderr } = await makeInGit('app')
      expect([exitCode, stderr]).toEqual([
        0,
        'sidecard new: git could not commit. Run git commit in the project to see the reason.\n',
      ])
      expect(git(app, 'status', '--porcelain')).toContain('A  package.json')
    })
  })

  test('sidecard new leaves a clone unchanged if it cannot write a file', async () => {
    const app = clone('main')
    const listFiles = () => readdirSync(app, { recursive: true, encoding: 'utf8' }).join('\n')
    const before = listFiles()
    const create = (fs: ReturnType<typeof failingAt>['fs']) => {
      const stream = { write: () => true }
      const io = { stdin: (async function* () {})(), stdout: stream, stderr: stream, env: {} }
      const context = { ...io, cwd: folder, palette: PLAIN, color: false }
      return runNewCommand(['app', '--no-install', '--no-git'], context, fs)
    }
    for (let n = 1; ; n += 5) {
      const { fs, calls } = failingAt(n)
      // oxlint-disable-next-line no-await-in-loop -- each failure starts with the same clone, at every fifth step
      const exitCode = await create(fs)
      if (calls() < n) break
      expect([n, exitCode]).toEqual([n, 1])
      expect([n, listFiles()]).toEqual([n, before])
    }
    expect(readdirSync(app)).toContain('package.json')
  })

  test('is not created inside another one', async () => {
    git(folder, 'init', '--quiet')
    expect((await makeInGit('x')).exitCode).toBe(0)
    expect(readdirSync(join(folder, 'x'))).not.toContain('.git')
  })
})
