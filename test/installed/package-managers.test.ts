import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { environment } from './environment.ts'
import { hasRegistry, installed } from './project.ts'
import { runOrThrow, runProgram } from './run-program.ts'

/** Yarn resolves the programs of every platform. Some registry mirrors do not have them. */
const INCOMPLETE_REGISTRY =
  /Couldn't find any versions for "@[\w-]+\/(?:binding|linux|darwin|win32)-/

const MANAGERS = [
  ['pnpm', 'pnpm@10', 'workers', 'pnpm-lock.yaml'],
  ['pnpm', 'pnpm@10', 'node', 'pnpm-lock.yaml'],
  ['yarn', 'yarn@1', 'node', 'yarn.lock'],
  ['bun', 'bun@1', 'node', 'bun.lock'],
] as const

test.skipIf(!hasRegistry).for(draw(MANAGERS, 1))(
  '%s (%s) installs, checks and tests a project of the template %s',
  { timeout: 300_000 },
  async ([manager, version, template, lockFile], { skip }) => {
    const { folder, tarball, cli } = installed()
    const tools = join(folder, manager)
    const prefix = ['--prefix', tools, '--no-audit', '--no-fund']
    await runOrThrow(folder, 'npm', ['install', ...prefix, version])
    const env = { PATH: `${join(tools, 'node_modules/.bin')}:${environment()['PATH']}` }

    const name = `${manager}-${template}`
    const options = ['--template', template, '--pm', manager, '--sidecard', `file:${tarball}`]
    const { exitCode, output } = await runProgram(
      folder,
      cli,
      ['new', name, ...options, '--yes'],
      env,
    )
    skip(INCOMPLETE_REGISTRY.test(output), 'the registry lacks programs of other platforms')
    if (exitCode !== 0) throw new Error(output)
    const project = join(folder, name)
    expect(existsSync(join(project, lockFile))).toBe(true)
    await runOrThrow(project, manager, ['run', 'typecheck'], env)
    expect(await runOrThrow(project, manager, ['run', 'test'], env)).toMatch(/pass(?:ed)?\b/)
    // The same commands as in its workflow and its Dockerfile.
    await runOrThrow(project, manager, ['install', '--frozen-lockfile'], env)
  },
)
